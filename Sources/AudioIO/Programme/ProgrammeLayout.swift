/// The storage of a programme's samples, and the loudspeaker of each channel.
package struct ProgrammeLayout: Sendable, Hashable {
    package let sampleRateHz: Int
    package let channelCount: Int
    package let stored: StoredFormat
    /// The significant bits of an integer; the rest, at its lower end, are zero.
    package let validBits: Int
    /// WAV's loudspeaker mask; `nil` if the programme has none.
    package let channelMask: UInt32?
    /// The channel for low-frequency effects, 0-based: a subwoofer plays no token. `nil` if there is none.
    package let lowFrequencyChannel: Int?
    /// True if ``lowFrequencyChannel`` is a guess, because the programme names no loudspeakers.
    package let isLowFrequencyAssumed: Bool

    /// WAV's bit for low-frequency effects; three loudspeakers come before it.
    private static let lowFrequencyBit: UInt32 = 8

    /// - Parameter lowFrequencyChannel: the programme's own value; `nil` to use the mask. Without a mask, six
    ///   to eight channels are assumed to be in WAV's order, where it is the fourth.
    init(
        sampleRateHz: Int, channelCount: Int, stored: StoredFormat, validBits: Int, channelMask: UInt32?,
        lowFrequencyChannel: Int? = nil
    ) {
        (self.sampleRateHz, self.channelCount) = (sampleRateHz, channelCount)
        (self.stored, self.validBits) = (stored, validBits)
        let mask = channelMask == 0 ? nil : channelMask
        self.channelMask = mask
        isLowFrequencyAssumed = mask == nil && lowFrequencyChannel == nil && (6...8).contains(channelCount)
        if let mask, mask & ProgrammeLayout.lowFrequencyBit != 0 {
            let before = (mask & (ProgrammeLayout.lowFrequencyBit - 1)).nonzeroBitCount
            self.lowFrequencyChannel = before < channelCount ? before : nil
        } else {
            self.lowFrequencyChannel = isLowFrequencyAssumed ? 3 : lowFrequencyChannel
        }
    }

    package var bytesPerFrame: Int { stored.bytesPerSample * channelCount }
    /// For each channel, true if it takes a token.
    package var takesToken: [Bool] { (0..<channelCount).map { $0 != lowFrequencyChannel } }
}
