import AudioIO

extension AudioMedium {
    /// Opens a medium with ALSA devices, or with WAV files and pipes in their place, which are written and
    /// read as fast as they would sound. A path of `nil` means that there is no such device. The devices need
    /// not be there yet; `explain` reports how they fare.
    ///
    /// Throws: `.wouldReplaceInput` if both are one file; `.unavailable` if the system has no thread for the
    /// medium.
    public static func open(
        playback: AudioPath? = .device("default"), capture: AudioPath? = .device("default"),
        settings: AudioMediumSettings = AudioMediumSettings(), explain: Explain? = nil
    ) throws(AudioIOError) -> AudioMedium {
        let inputs = capture.map { [$0] } ?? []
        if let playback { try OutputFile.requireDistinct(playback, from: inputs) }
        var makeSink: MakeSink?
        var makeSource: MakeSource?
        switch playback {
        case .device(let name)?: makeSink = { () throws(AudioIOError) in try ALSAPlayback(name) }
        case let path?: makeSink = { () throws(AudioIOError) in try PacedSink(path, inputs: inputs) }
        case nil: break
        }
        switch capture {
        case .device(let name)?:
            makeSource = { () throws(AudioIOError) in try ALSACapture(name, .microphones) }
        case let path?: makeSource = { () throws(AudioIOError) in try PacedSource(path) }
        case nil: break
        }
        return try AudioMedium(
            playback: makeSink, capture: makeSource, settings: settings, explain: explain)
    }

    /// Opens a medium with the ALSA devices of these names. Throws: the errors of
    /// ``open(playback:capture:settings:)``.
    public static func alsa(
        playback: String? = "default", capture: String? = "default",
        settings: AudioMediumSettings = AudioMediumSettings()
    ) throws(AudioIOError) -> AudioMedium {
        try open(
            playback: playback.map { .device($0) }, capture: capture.map { .device($0) }, settings: settings)
    }
}
