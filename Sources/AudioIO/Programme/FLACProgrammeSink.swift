/// A sink that writes a programme's samples as a FLAC, with its tags.
final class FLACProgrammeSink: ProgrammeSink {
    private let output: FLACOutput
    private let stored: StoredFormat
    private let source: any ProgrammeSource
    private(set) var remarks: [String] = []

    /// Throws: `.unfitOutput` for floats and more than 24 bits; the errors of ``FLACOutput``.
    init(_ path: AudioPath, inputs: [AudioPath], source: some ProgrammeSource) throws(AudioIOError) {
        self.source = source
        let layout = source.layout
        stored = layout.stored
        let isFloat = [.float32, .float64].contains(stored)
        guard !isFloat, layout.validBits <= FLACOutput.greatestBits else {
            let kind = isFloat ? "floats" : "\(layout.validBits) bits"
            throw AudioIOError(
                .unfitOutput, path, "a FLAC holds no \(kind), which \(source.path) has; name a .wav")
        }
        let bits = [.muLaw, .aLaw].contains(stored) ? 16 : layout.validBits
        output = try FLACOutput(
            path, inputs: inputs, sampleRateHz: layout.sampleRateHz, channelCount: layout.channelCount,
            bits: bits, tags: source.tags)
    }

    func write(_ frames: [UInt8]) throws(AudioIOError) { try output.write(stored.integers(frames)) }

    func finish() throws(AudioIOError) {
        // Tags in a list before the samples are in the FLAC.
        if let wav = source as? WAVProgramme {
            var names = try wav.readOtherNames()
            if !wav.tags.isEmpty { names.removeAll { $0 == "LIST" } }
            remarks = LostParts.remarks(wav.path, names)
        }
        try output.finish()
    }
}
