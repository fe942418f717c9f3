/// A programme to be mixed into: its samples as they are stored, frame by frame.
package protocol ProgrammeSource: AnyObject {
    var path: AudioPath { get }
    var layout: ProgrammeLayout { get }
    /// Lines for people about all that a copy loses or corrects; complete once everything is read.
    var remarks: [String] { get }
    /// Title, artist and the like.
    var tags: [ProgrammeTag] { get }

    /// Appends the next frames as they are stored, fewer than `frameCount` only at the end. Returns how many.
    ///
    /// Throws: `.inputOutput` when reading fails; `.badData` when the sound is damaged from here on.
    func read(_ frameCount: Int, appendingTo bytes: inout [UInt8]) throws(AudioIOError) -> Int
}

/// Where a mixed programme goes.
package protocol ProgrammeSink: AnyObject {
    /// Lines for people about parts of the programme that it does not hold; complete once it is finished.
    var remarks: [String] { get }

    /// Appends whole frames, stored as the source's are.
    func write(_ frames: [UInt8]) throws(AudioIOError)
    /// Writes what follows the samples. Nothing counts as written before this returns.
    func finish() throws(AudioIOError)
}

extension ProgrammeSink {
    package var remarks: [String] { [] }
}

/// A programme and the copy of it that is being written.
package struct ProgrammeCopy {
    package let source: any ProgrammeSource
    package let sink: any ProgrammeSink

    /// A WAV goes out as it came in, chunk by chunk. Everything else is decoded by libsndfile, and goes out as a WAV or FLAC of the
    /// same samples.
    ///
    /// - Parameter inputs: files that the command reads beside the programme.
    ///
    /// Throws: `.noSuchInput`, `.badData` for what is no sound; `.unfitOutput` when the output cannot hold these samples;
    ///   `.wouldReplaceInput`, `.cannotCreate`, `.noPermission`.
    package init(
        from path: AudioPath, to output: AudioPath, inputs: [AudioPath] = []
    ) throws(AudioIOError) {
        let container = try SoundContainer(output)
        let input = try ByteInput(path)
        let inputs = [path] + inputs
        if let wav = try WAVProgramme(input) {
            source = wav
            switch container {
            case .wav: sink = try WAVCopySink(output, inputs: inputs, source: wav)
            case .flac: sink = try FLACProgrammeSink(output, inputs: inputs, source: wav)
            }
            return
        }
        let decoded = try DecodedProgramme(input)
        source = decoded
        switch container {
        case .wav: sink = try WAVProgrammeSink(output, inputs: inputs, source: decoded)
        case .flac: sink = try FLACProgrammeSink(output, inputs: inputs, source: decoded)
        }
    }
}
