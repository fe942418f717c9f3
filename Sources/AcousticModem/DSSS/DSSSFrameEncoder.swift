import Coding

/// Token → chips: field, polar code, interleaver, pilots, ramps. Opposite: ``DSSSFrameDecoder``.
struct DSSSFrameEncoder: Sendable {
    let profile: DSSSProfile
    let lane: Int

    init(profile: DSSSProfile, lane: Int = 0) {
        precondition((0..<PilotPattern.laneCount).contains(lane), "lanes are numbered from 0 to 3")
        self.profile = profile
        self.lane = lane
    }

    /// Returns the field and check bits, `[8 · capacity + 24]`.
    func infoBits(of token: [UInt8]) throws(TokenError) -> [UInt8] { try TokenField.encode(token) }

    /// Returns the coded bits, `[codeLength]`.
    func codedBits(of token: [UInt8]) throws(TokenError) -> [UInt8] {
        let info = try infoBits(of: token)
        return PolarCode(length: profile.codeLength, infoCount: info.count).encode(info)
    }

    /// Returns all chips on air, ±1, `[profile.chipCount]`.
    func chips(of token: [UInt8]) throws(TokenError) -> [Int8] {
        let tokenClass = try TokenClass(tokenByteCount: token.count)
        let coded = try codedBits(of: token)
        var chips: [Int8] = (0..<profile.rampChipCount).map { $0 % 2 == 0 ? -1 : 1 }
        for segment in 0..<profile.segmentCount {
            let layout = SegmentLayout(profile: profile, lane: lane, segment: segment, tokenClass: tokenClass)
            chips += layout.chips(ofCodedBits: coded)
        }
        return chips + (0..<profile.rampChipCount).map { $0 % 2 == 0 ? 1 : -1 }
    }
}

extension SegmentLayout {
    /// Returns the chips of a segment that carries coded bits. Shape: `[codeLength]` bits →
    /// `[segmentChipCount]` chips, ±1.
    func chips(ofCodedBits coded: [UInt8]) -> [Int8] {
        var chips = pilots
        for (index, chip) in dataChips.enumerated() {
            chips[Int(chip)] = coded[Int(codedBits[index])] == 1 ? -scrambler[index] : scrambler[index]
        }
        return chips
    }
}
