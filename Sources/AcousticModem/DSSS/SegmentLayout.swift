import Coding
import Signal

/// The use of each chip of a segment: as a pilot of known sign, or for a coded bit under a scrambler sign.
///
/// Both ends build it from the profile, lane, segment number and token class.
struct SegmentLayout: Sendable {
    /// ±1 for a pilot, 0 for a data chip. `[segmentChipCount]`
    let pilots: [Int8]
    let knownPilots: KnownChips
    /// The chip index of data chip i. `[codeLength]`
    let dataChips: [UInt16]
    /// The coded bit that data chip i carries. `[codeLength]`
    let codedBits: [UInt16]
    /// The scrambler's sign of data chip i, ±1. `[codeLength]`
    let scrambler: [Int8]

    init(profile: DSSSProfile, lane: Int, segment: Int, tokenClass: TokenClass) {
        let pilots = profile.pilots.chips(lane: lane, segment: segment, count: profile.segmentChipCount)
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
