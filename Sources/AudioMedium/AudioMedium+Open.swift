import AudioIO

extension AudioMedium {
    /// ALSA's devices, or WAV files and pipes in their place, which are written and read as fast as they would sound; nil: there
    /// is none. They need not be there yet; `explain` is told how they fare.
    ///
    /// Throws: `.wouldReplaceInput`, when both are one file; `.unavailable`, when the system has no thread for it.
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
        case .device(let name)?: makeSource = { () throws(AudioIOError) in try ALSACapture(name) }
        case let path?: makeSource = { () throws(AudioIOError) in try PacedSource(path) }
        case nil: break
        }
        return try AudioMedium(
            playback: makeSink, capture: makeSource, settings: settings, explain: explain)
    }

    /// ALSA's devices of these names. Throws: as ``open(playback:capture:settings:)``.
    public static func alsa(
        playback: String? = "default", capture: String? = "default",
        settings: AudioMediumSettings = AudioMediumSettings()
    ) throws(AudioIOError) -> AudioMedium {
        try open(
            playback: playback.map { .device($0) }, capture: capture.map { .device($0) }, settings: settings)
    }
}
