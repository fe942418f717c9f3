/// The known chips of a segment: equal clusters of one code, irregularly spaced, each with a sign.
///
///     | cluster | data … | cluster | data ……… | cluster | …
///       0                  start[1]             start[2]
///
/// One short template finds every cluster; the irregular spacing keeps a wrong Doppler from looking right: regular
/// clusters alias, and a frame handed over at an aliased Doppler never decodes. Starts were drawn at random for the
/// least Doppler sidelobe (−11.7 dB standard, −6.3 dB quick). The standard code has the least energy in aperiodic sidelobes
/// that its length allows (36 of 25²), since sidelobes look like echoes; quick's the least peak (2 of 21). `PilotPatternTests` holds these figures.
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
    /// Clusters where the standard ones stand, so that one search serves both; by their signs the other's frames reach a share of
    /// 0.15 at most of what its own do, at any Doppler and lane.
    static let far = PilotPattern(like: standard, signs: "--+--++--++++-+++-")
    static let quick = PilotPattern(
        "+-+-+----+----++-++--", [0, 99, 272, 401, 467, 617], signs: "++-+--")

    /// - Parameters:
    ///   - code: of each cluster, `+` and `-`.
    ///   - starts: of the clusters, in order; a multiple of three.
    ///   - signs: of the clusters, `+` and `-`.
    init(_ code: String, _ starts: [Int], signs: String) {
        self.code = PilotPattern.chips(code)
        self.starts = starts
        self.signs = PilotPattern.chips(signs)
    }

    private init(like other: PilotPattern, signs: String) {
        (code, starts) = (other.code, other.starts)
        self.signs = PilotPattern.chips(signs)
    }

    private static func chips(_ text: String) -> [Int8] { text.utf8.map { $0 == UInt8(ascii: "+") ? 1 : -1 } }

    /// Whether clusters are the same at the same places, but for their signs.
    func sharesClusters(with other: PilotPattern) -> Bool { code == other.code && starts == other.starts }
}
