/// One of ggwave's twelve transmission protocols. All else follows from the three parameters.
///
/// Reference: ggwave (MIT licence), read at commit bef9afb and checked against version 0.4.3.
public struct GGWaveProtocol: Sendable, Hashable {
    /// Where in the spectrum, and how many tones at once.
    public enum Tones: String, Sendable, CaseIterable {
        /// Six at once, from 1.9 kHz up.
        case audible
        /// Six at once, from 15 kHz up.
        case ultrasound
        /// Two at once, audible.
        case dualTone = "dt"
        /// One, audible. Has no markers, so it exists with a fixed length only.
        case monoTone = "mt"
    }

    /// How long tones are held before the next ones follow.
    public enum Speed: String, Sendable, CaseIterable {
        /// 192 ms: nine spectra of 1024 samples at 48 kHz.
        case normal
        /// 128 ms: six spectra of 1024 samples at 48 kHz.
        case fast
        /// 64 ms: three spectra of 1024 samples at 48 kHz.
        case fastest
    }

    /// Where it sounds, and with how many tones at once.
    public var tones: Tones
    /// How long they are held.
    public var speed: Speed

    /// Every combination is one of the twelve; mono-tone ones exist with a fixed length only.
    public init(tones: Tones, speed: Speed) {
        self.tones = tones
        self.speed = speed
    }

    /// In the order of ggwave's numbers: 0 … 11.
    public static let all = Tones.allCases.flatMap { tones in
        Speed.allCases.map { GGWaveProtocol(tones: tones, speed: $0) }
    }

    /// `audible-normal`, …, `mt-fastest`.
    public var name: String { "\(tones.rawValue)-\(speed.rawValue)" }

    /// A bin is ``baseRateHz`` / ``frameSamples`` = 46.875 Hz wide.
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

    /// Tones at once: each one of sixteen, beside each other.
    package var nibblesPerChunk: Int {
        switch tones {
        case .audible, .ultrasound: 6
        case .dualTone: 2
        case .monoTone: 1
        }
    }

    /// Without markers nothing tells where a message begins or how long it is.
    var hasMarkers: Bool { tones != .monoTone }

    /// Bins of data; markers use the first ``markerBinCount`` of them.
    package var binCount: Int { 16 * nibblesPerChunk }
    package var samplesPerChunk: Int { framesPerChunk * GGWaveProtocol.frameSamples }

    /// Samples of every duration here are at this rate.
    static let baseRateHz = 48_000.0
    static let frameSamples = 1024
    static let markerFrames = 16
    static let markerBinCount = 32
    static let markerSamples = markerFrames * frameSamples
}
