/// A programme that tokens are mixed into. It delivers its samples as they are stored, frame by frame.
package protocol ProgrammeSource: AnyObject {
    var path: AudioPath { get }
    var layout: ProgrammeLayout { get }
    /// Lines for people about everything that a copy loses or corrects; complete once everything is read.
    var remarks: [String] { get }
    /// The tags: title, artist and the like.
    var tags: [ProgrammeTag] { get }

    /// Appends the next frames as they are stored, fewer than `frameCount` only at the end. Returns how many.
    ///
    /// Throws: `.inputOutput` if reading fails; `.badData` if the sound is damaged from here on.
    func read(_ frameCount: Int, appendingTo bytes: inout [UInt8]) throws(AudioIOError) -> Int
}

/// The target of a mixed programme.
package protocol ProgrammeSink: AnyObject {
    /// Lines for people about parts of the programme that the output does not hold; complete once it is
    /// finished.
    var remarks: [String] { get }

    /// Appends whole frames in the source's storage format.
    func write(_ frames: [UInt8]) throws(AudioIOError)
    /// Writes the parts that follow the samples. Nothing counts as written before this returns.
    func finish() throws(AudioIOError)
}

extension ProgrammeSink {
    package var remarks: [String] { [] }
}

/// A programme and the copy of it that is being written.
package struct ProgrammeCopy {
    package let source: any ProgrammeSource
    package let sink: any ProgrammeSink

    /// Opens a programme and its copy. A WAV is copied chunk by chunk as it is. libsndfile decodes everything
    /// else, and the copy is a WAV or FLAC of the same samples.
    ///
    /// - Parameter inputs: the files that the command reads beside the programme.
    ///
    /// Throws: `.noSuchInput`; `.badData` if the input is no sound; `.unfitOutput` if the output cannot hold
    /// these samples; `.wouldReplaceInput`, `.cannotCreate`, `.noPermission`.
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
