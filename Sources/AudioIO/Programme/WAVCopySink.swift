/// The copy of a WAV. It is byte for byte the same, except for the mixed samples and for corrected sizes.
final class WAVCopySink: ProgrammeSink {
    private let source: WAVProgramme
    private let output: SparseOutput
    private var head: WAVHead
    private var dataBytes = 0

    /// Throws: the errors of ``OutputFile``.
    init(_ path: AudioPath, inputs: [AudioPath], source: WAVProgramme) throws(AudioIOError) {
        self.source = source
        output = try SparseOutput(path, inputs: inputs)
        if source.isHeadRight {
            head = source.head
        } else if let dataBytes = source.dataBytes, let tailBytes = source.tailBytes {
            head = source.head.sized(
                dataBytes: dataBytes, tailBytes: WAVCopySink.padded(dataBytes, tailBytes),
                bytesPerFrame: source.layout.bytesPerFrame)
        } else {
            head = output.isRewindable ? source.head.withRoomForSizes() : source.head.openEnded()
        }
        try output.write(head.bytes)
    }

    /// Returns the number of bytes after the samples. Samples of an odd length are padded if nothing follows
    /// them.
    private static func padded(_ dataBytes: Int, _ tailBytes: Int) -> Int {
        tailBytes == 0 ? dataBytes % 2 : tailBytes
    }

    func write(_ frames: [UInt8]) throws(AudioIOError) {
        try output.write(frames)
        dataBytes += frames.count
    }

    func finish() throws(AudioIOError) {
        var (tail, tailBytes) = ([UInt8](), 0)
        repeat {
            tail.removeAll(keepingCapacity: true)
            try source.readTail(appendingTo: &tail)
            try output.write(tail)
            tailBytes += tail.count
        } while !tail.isEmpty
        if !source.isHeadRight { try correctHead(copied: tailBytes) }
        try output.finish()
    }

    /// Corrects the sizes in the head; a stream keeps its first head.
    private func correctHead(copied: Int) throws(AudioIOError) {
        // An incomplete frame is written with the tail, but belongs to the samples.
        let samples = source.dataBytes ?? dataBytes
        let rest = copied - (samples - dataBytes)
        if rest == 0, samples % 2 == 1 { try output.write([0]) }
        guard output.isRewindable else { return }
        let right = head.sized(
            dataBytes: samples, tailBytes: WAVCopySink.padded(samples, rest),
            bytesPerFrame: source.layout.bytesPerFrame)
        guard right.bytes.count == head.bytes.count else { return }
        try output.rewrite(right.bytes)
    }
}
