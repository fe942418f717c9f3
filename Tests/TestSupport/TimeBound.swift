extension Duration {
    /// The time that a test allows a real process. Beside other work everything takes longer, so that
    /// `Tools/test` allows four times the bound, which still finds what hangs. `Tools/rigs trials` runs on an
    /// idle machine and allows the bound itself.
    package static func bound(_ time: Duration) -> Duration { Trials.areMany ? time : time * 4 }
}
