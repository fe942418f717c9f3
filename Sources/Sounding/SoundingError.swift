/// The reason why a recording cannot be analysed; `description` is one line for people.
public enum SoundingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The recording's rate is not one of ``SoundingAnalysis/sampleRatesHz``.
    case unusableRate(hz: Double)
    /// The whole recording is shorter than the sweeps are.
    case tooShort(seconds: Double)
    /// No row of sweeps stands out in the recording.
    case notFound
    /// The recording begins too soon before the sounding: there is no quiet to measure the noise in.
    case noQuietBefore(seconds: Double)
    /// The recording ends within the last sweep.
    case cutOff
    /// Even the quiet sweeps were beyond the recorder's full scale.
    case clipped(share: Double)

    public var description: String {
        switch self {
        case .unusableRate(let hz):
            "\(SoundingError.whole(hz)) samples a second; expected \(Int(SoundingAnalysis.sampleRatesHz.lowerBound.rounded(.up))) or more, as a sounding reaches to 22 kHz; record at 48000"
        case .tooShort(let seconds):
            "\(SoundingError.seconds(seconds)) s are too short for a sounding; it lasts \(SoundingError.seconds(SoundingSignal.durationSeconds)) s"
        case .notFound:
            "no sounding found; expected the whole of one, played while this was recorded, both devices at rest"
        case .noQuietBefore(let seconds):
            "the recording begins \(SoundingError.seconds(seconds)) s before the first sweep; expected \(SoundingError.seconds(SoundingAnalysis.leastQuietSeconds)) s of quiet or more"
        case .cutOff:
            "the recording ends before the sounding does; expected the whole of it"
        case .clipped(let share):
            "\(SoundingError.seconds(100 * share)) % of the samples are clipped; turn the recording level down"
        }
    }

    private static func whole(_ value: Double) -> String {
        Int(exactly: value.rounded()).map { "\($0)" } ?? "\(value)"
    }

    /// Returns seconds with two decimal places.
    private static func seconds(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let part = hundredths % 100
        return "\(hundredths / 100).\(part < 10 ? "0" : "")\(part)"
    }
}
