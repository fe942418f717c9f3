import AudioIO

extension AudioMedium {
    /// ALSA's devices of these names; nil: there is none. They need not be there yet.
    ///
    /// Throws: `.unavailable`, when the system has no thread for it.
    public static func alsa(
        playback: String? = "default", capture: String? = "default",
        settings: AudioMediumSettings = AudioMediumSettings()
    ) throws(AudioIOError) -> AudioMedium {
        var makeSink: MakeSink?
        var makeSource: MakeSource?
        if let playback { makeSink = { () throws(AudioIOError) in try ALSAPlayback(playback) } }
        if let capture { makeSource = { () throws(AudioIOError) in try ALSACapture(capture) } }
        return try AudioMedium(playback: makeSink, capture: makeSource, settings: settings)
    }
}
