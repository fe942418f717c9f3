/// A sink that writes a decoded programme as a WAV of the same samples, with its tags.
final class WAVProgrammeSink: ProgrammeSink {
    private let source: DecodedProgramme
    private let output: SparseOutput
    private let head: WAVHead
    /// The layout of the copy, which stores the highest bytes of each decoded sample.
    private let layout: ProgrammeLayout
    private var dataBytes = 0

    /// Throws: the errors of ``OutputFile``.
    init(_ path: AudioPath, inputs: [AudioPath], source: DecodedProgramme) throws(AudioIOError) {
        self.source = source
        let decoded = source.layout
        let stored: StoredFormat =
            switch (decoded.stored, source.bits) {
            case (.s16, 8): .u8
            case (.s32, ...24): .s24
            default: decoded.stored
            }
        layout = ProgrammeLayout(
            sampleRateHz: decoded.sampleRateHz, channelCount: decoded.channelCount, stored: stored,
            validBits: source.bits, channelMask: nil, lowFrequencyChannel: decoded.lowFrequencyChannel)
        output = try SparseOutput(path, inputs: inputs)
        let head = WAVHead(layout, tags: source.tags)
        self.head = output.isRewindable ? head.withRoomForSizes() : head.openEnded()
        try output.write(self.head.bytes)
    }

    func write(_ frames: [UInt8]) throws(AudioIOError) {
        let kept = narrowed(frames)
        try output.write(kept)
        dataBytes += kept.count
    }

    /// Returns the significant bytes of each sample.
    private func narrowed(_ frames: [UInt8]) -> [UInt8] {
        switch (source.layout.stored, layout.stored) {
        case (.s32, .s24): frames.indices.lazy.filter { $0 % 4 != 0 }.map { frames[$0] }
        case (.s16, .u8): frames.indices.lazy.filter { $0 % 2 == 1 }.map { frames[$0] ^ 0x80 }
        default: frames
        }
    }

    func finish() throws(AudioIOError) {
        if dataBytes % 2 == 1 { try output.write([0]) }
        if output.isRewindable {
            let right = head.sized(
                dataBytes: dataBytes, tailBytes: dataBytes % 2, bytesPerFrame: layout.bytesPerFrame)
            try output.rewrite(right.bytes)
        }
        try output.finish()
    }
}
