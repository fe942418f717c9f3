/// The known chips of a segment: equal clusters of one code, irregularly spaced, each with a sign.
///
///     | cluster | data … | cluster | data ……… | cluster | …
///       0                  start[1]             start[2]
///
/// One short template finds every cluster. The irregular spacing keeps a wrong Doppler from looking right:
/// regular clusters alias, and a frame handed over at an aliased Doppler never decodes. Starts were drawn at
/// random for the least Doppler sidelobe (−11.7 dB standard, −6.3 dB quick). The standard code has the least
/// energy in aperiodic sidelobes that its length allows (36 of 25²), since sidelobes look like echoes; the
/// quick code has the least peak (2 of 21). `PilotPatternTests` holds these figures.
struct PilotPattern: Sendable, Hashable {
    /// The chips of a cluster, ±1, the same in each cluster.
    let code: [Int8]
    /// The first chip of each cluster in the segment.
    let starts: [Int]
    let signs: [Int8]

    /// The number of lanes. A receiver distinguishes overlapping transmitters on different lanes.
    static let laneCount = 4
    /// The number of groups of equal size into which the clusters of a segment fall; a lane is a sign for
    /// each group.
    static let groupCount = 3
    static let lanePatterns: [[Int8]] = [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]

    var clusterCount: Int { starts.count }
    var chipCount: Int { starts.count * code.count }
    func group(ofCluster cluster: Int) -> Int { cluster * PilotPattern.groupCount / clusterCount }

    /// Returns the row of ``lanePatterns`` that a segment uses. Neighbouring segments differ, so that a shift
    /// by a segment does not match.
    static func pattern(lane: Int, segment: Int) -> Int { (lane + segment) % laneCount }

    /// Returns the sign of one cluster as sent.
    func sign(cluster: Int, lane: Int, segment: Int) -> Int8 {
        let pattern = PilotPattern.lanePatterns[PilotPattern.pattern(lane: lane, segment: segment)]
        return signs[cluster] * pattern[group(ofCluster: cluster)]
    }

    /// Returns the chips of a segment as sent: ±1 for a pilot, 0 for a data chip. `[count]`
    func chips(lane: Int, segment: Int, count: Int) -> [Int8] {
        var chips = [Int8](repeating: 0, count: count)
        for (cluster, start) in starts.enumerated() {
            let sign = sign(cluster: cluster, lane: lane, segment: segment)
            for (offset, chip) in code.enumerated() { chips[start + offset] = sign * chip }
        }
        return chips
    }

    static let standard = PilotPattern(
        "+--++-++-+-+-------+++---",
        [0, 77, 136, 202, 322, 387, 449, 545, 655, 748, 802, 898, 947, 1062, 1166, 1236, 1336, 1449],
        signs: "--+--+---+-----+++")
    /// The pattern of `dsss-far`. Its clusters stand where the standard ones do, so that one search serves
    /// both. By their signs, the frames of the other pattern reach at most a share of 0.15 of what its own
    /// frames do, at any Doppler and lane.
    static let far = PilotPattern(like: standard, signs: "--+--++--++++-+++-")
    static let quick = PilotPattern(
        "+-+-+----+----++-++--", [0, 99, 272, 401, 467, 617], signs: "++-+--")

    /// - Parameters:
    ///   - code: the code of each cluster, `+` and `-`.
    ///   - starts: the starts of the clusters, in order; their number is a multiple of three.
    ///   - signs: the signs of the clusters, `+` and `-`.
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

    /// Returns true if the clusters are the same at the same places, except for their signs.
    func sharesClusters(with other: PilotPattern) -> Bool { code == other.code && starts == other.starts }
}
