/// One way to read tones as a frame.
struct FSKReading: Sendable {
    var setting: FSKTracker.Setting
    let tokenClass: TokenClass
    let layout: FSKFrameLayout
    /// The number of frames of one token whose tones are added up.
    var frameCount = 1
    /// The number of frames whose phases were fitted to a path.
    var fitCount = 0

    var gate: AcceptanceGate {
        .fsk(frameCount: frameCount, fitCount: fitCount, contrast: setting.contrast)
    }
}
