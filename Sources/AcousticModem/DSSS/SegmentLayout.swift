import Coding
import Signal

/// What each chip of a segment is: a pilot of known sign, or which coded bit under which scrambler sign.
///
/// Both ends build it from the profile, lane, segment number and token class.
struct SegmentLayout: Sendable {
    /// ±1 where a pilot stands, 0 at data chips. `[segmentChipCount]`
    let pilots: [Int8]
    let knownPilots: KnownChips
    /// Chip index of data chip i. `[codeLength]`
    let dataChips: [UInt16]
    /// Coded bit that data chip i carries. `[codeLength]`
    let codedBits: [UInt16]
    /// ±1 on data chip i. `[codeLength]`
    let scrambler: [Int8]

    init(profile: DSSSProfile, lane: Int, segment: Int, tokenClass: TokenClass) {
        var pilots = [Int8](repeating: 0, count: profile.segmentChipCount)
        for (cluster, start) in profile.pilots.starts.enumerated() {
            let sign = profile.pilots.sign(cluster: cluster, lane: lane, segment: segment)
            for (offset, chip) in profile.pilots.code.enumerated() { pilots[start + offset] = sign * chip }
        }
        self.pilots = pilots
        knownPilots = KnownChips(pilots: pilots)
        dataChips = pilots.indices.filter { pilots[$0] == 0 }.map { UInt16($0) }
        let seed =
            profile.scramblerFamily << 32 | UInt64(tokenClass.capacity) << 16 | UInt64(lane) << 8
            | UInt64(segment)
        var generator = SplitMix64(seed: seed)
        codedBits = Permutation(count: profile.codeLength, using: &generator).order.map { UInt16($0) }
        scrambler = (0..<profile.codeLength).map { _ in generator.next() >> 63 == 1 ? -1 : 1 }
    }
}
