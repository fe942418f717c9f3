import CommandOutput
import UnixSignals

extension UnixSignal {
    /// Returns those of `signals` that this program heeds: `nohup`, and `&` of a shell without job control,
    /// make it ignore some.
    package static func heeded(_ signals: UnixSignal...) -> [UnixSignal] {
        signals.filter { StopSignals.isHeeded($0.rawValue) }
    }
}
