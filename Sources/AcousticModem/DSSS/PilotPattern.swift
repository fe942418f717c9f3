/// The known chips of a segment: equal clusters of one code, irregularly spaced, each with a sign.
///
///     | cluster | data … | cluster | data ……… | cluster | …
///       0                  start[1]             start[2]
///
/// One short template finds every cluster; the irregular spacing keeps a wrong Doppler from looking right: regular
/// clusters alias, and a frame handed over at an aliased Doppler never decodes. Starts were drawn at random for the
/// least Doppler sidelobe (−11.7 dB standard, −9.1 dB far, −6.3 dB quick). Codes have the least energy in aperiodic
/// sidelobes that their length allows (36 of 25², 37 of 27²), since sidelobes look like echoes; quick's the least peak (2 of
/// 21). `PilotPatternTests` holds these figures.
struct PilotPattern: Sendable, Hashable {
    /// ±1, the same in each cluster.
    let code: [Int8]
    /// First chip of each cluster in the segment.
    let starts: [Int]
    let signs: [Int8]

    /// Transmitters on different lanes can overlap and be told apart.
    static let laneCount = 4
    /// Clusters of a segment fall into this many groups of equal size; a lane is a sign for each.
    static let groupCount = 3
    static let lanePatterns: [[Int8]] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]

    var clusterCount: Int { starts.count }
    var chipCount: Int { starts.count * code.count }
    func group(ofCluster cluster: Int) -> Int { cluster * PilotPattern.groupCount / clusterCount }

    /// Which row of ``lanePatterns`` a segment uses: neighbours differ, so that a shift by a segment does not match.
    static func pattern(lane: Int, segment: Int) -> Int { (lane + segment) % laneCount }

    /// Sign of one cluster as sent.
    func sign(cluster: Int, lane: Int, segment: Int) -> Int8 {
        let pattern = PilotPattern.lanePatterns[PilotPattern.pattern(lane: lane, segment: segment)]
        return signs[cluster] * pattern[group(ofCluster: cluster)]
    }

    static let standard = PilotPattern(
        "+--++-++-+-+-------+++---",
        [0, 77, 136, 202, 322, 387, 449, 545, 655, 748, 802, 898, 947, 1062, 1166, 1236, 1336, 1449],
        signs: "--+--+---+-----+++")
    static let far = PilotPattern(
        "---++++---+---+---+--+-++-+", [0, 145, 220, 402, 459, 615, 681, 811, 978, 1112, 1222, 1321],
        signs: "++-+-++---+-")
    static let quick = PilotPattern(
        "+-+-+----+----++-++--", [0, 99, 272, 401, 467, 617], signs: "++-+--")

    private init(_ code: String, _ starts: [Int], signs: String) {
        self.code = code.map { $0 == "+" ? 1 : -1 }
        self.starts = starts
        self.signs = signs.map { $0 == "+" ? 1 : -1 }
    }
}
