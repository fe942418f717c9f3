/// How a programme's samples are stored, and which loudspeaker each channel is for.
package struct ProgrammeLayout: Sendable, Hashable {
    package let sampleRateHz: Int
    package let channelCount: Int
    package let stored: StoredFormat
    /// An integer's bits that count; the rest are zero, at its lower end.
    package let validBits: Int
    /// WAV's loudspeaker mask; nil when the programme does not say.
    package let channelMask: UInt32?
    /// The channel for low-frequency effects, 0-based: a subwoofer plays no token. Nil when there is none.
    package let lowFrequencyChannel: Int?
    /// Whether ``lowFrequencyChannel`` is a guess: the programme names no loudspeakers.
    package let isLowFrequencyAssumed: Bool

    /// WAV's bit for low-frequency effects; three loudspeakers are before it.
    private static let lowFrequencyBit: UInt32 = 8

    /// - Parameter lowFrequencyChannel: as the programme says; nil: by the mask. Without a mask, six to eight channels are taken
    ///   to be in WAV's order, where it is the fourth.
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
    /// For each channel whether a token goes on it.
    package var takesToken: [Bool] { (0..<channelCount).map { $0 != lowFrequencyChannel } }
}
