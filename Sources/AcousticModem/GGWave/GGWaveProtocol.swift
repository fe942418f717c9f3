/// One of ggwave's twelve transmission protocols. Everything else follows from the two parameters.
///
/// Reference: ggwave (MIT licence), read at commit bef9afb and checked against version 0.4.3.
public struct GGWaveProtocol: Sendable, Hashable {
    /// The place in the spectrum, and the number of tones at once.
    public enum Tones: String, Sendable, CaseIterable {
        /// Six tones at once, from 1.9 kHz up.
        case audible
        /// Six tones at once, from 15 kHz up.
        case ultrasound
        /// Two tones at once, audible.
        case dualTone = "dt"
        /// One tone, audible. It has no markers, so it exists with a fixed length only.
        case monoTone = "mt"
    }

    /// The time for which tones are held before the next ones follow.
    public enum Speed: String, Sendable, CaseIterable {
        /// 192 ms: nine spectra of 1024 samples at 48 kHz.
        case normal
        /// 128 ms: six spectra of 1024 samples at 48 kHz.
        case fast
        /// 64 ms: three spectra of 1024 samples at 48 kHz.
        case fastest
    }

    /// The place in the spectrum, and the number of tones at once.
    public var tones: Tones
    /// The time for which tones are held.
    public var speed: Speed

    /// Every combination is one of the twelve; mono-tone ones exist with a fixed length only.
    public init(tones: Tones, speed: Speed) {
        self.tones = tones
        self.speed = speed
    }

    /// All twelve protocols in the order of ggwave's numbers: 0 … 11.
    public static let all = Tones.allCases.flatMap { tones in
        Speed.allCases.map { GGWaveProtocol(tones: tones, speed: $0) }
    }

    /// The name: `audible-normal`, …, `mt-fastest`.
    public var name: String { "\(tones.rawValue)-\(speed.rawValue)" }

    /// The bin of the first tone. A bin is ``baseRateHz`` / ``frameSamples`` = 46.875 Hz wide.
    var firstBin: Int {
        switch tones {
        case .audible: 40
        case .ultrasound: 320
        case .dualTone, .monoTone: 24
        }
    }

    var framesPerChunk: Int {
        switch speed {
        case .normal: 9
        case .fast: 6
        case .fastest: 3
        }
    }

    /// The number of tones at once: each one of sixteen, beside each other.
    package var nibblesPerChunk: Int {
        switch tones {
        case .audible, .ultrasound: 6
        case .dualTone: 2
        case .monoTone: 1
        }
    }

    /// True if messages have markers, which show where a message begins and how long it is.
    var hasMarkers: Bool { tones != .monoTone }

    /// The number of bins of data; markers use the first ``markerBinCount`` of them.
    package var binCount: Int { 16 * nibblesPerChunk }
    package var samplesPerChunk: Int { framesPerChunk * GGWaveProtocol.frameSamples }

    /// The rate at which all durations here count samples.
    static let baseRateHz = 48_000.0
    static let frameSamples = 1024
    static let markerFrames = 16
    static let markerBinCount = 32
    static let markerSamples = markerFrames * frameSamples
}
