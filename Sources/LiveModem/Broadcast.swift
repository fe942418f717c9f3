import AcousticModem
import AudioIO
import Glibc
import Signal

/// What a box sends: frames of a token with pauses between, for ever or a number of times. A value: no device, no clock.
///
///     | frame | pause | frame | pause | frame ◢ ramp, silence …
///             ▲ the token may change here                  ▲ stop()
public struct Broadcast: Sendable {
    /// Silence between frames.
    public struct Pauses: Sendable, Hashable {
        /// From the beginning of one frame to that of the next; at least ``WaveformProfile/standardGapSeconds`` after its end.
        public var everySeconds: Double
        /// Up to this much more, at random: two boxes that began together do not go on together.
        public var jitterSeconds: Double

        /// By default as close together as receivers expect repeats, and without jitter.
        public init(everySeconds: Double = 0, jitterSeconds: Double = 0) {
            (self.everySeconds, self.jitterSeconds) = (everySeconds, jitterSeconds)
        }
    }

    /// In which it falls silent when it is stopped midway.
    private static let rampSeconds = 0.005

    private var transmitter: Transmitter
    private let gain: Float
    /// From the next frame's end on.
    public var pauses: Pauses
    private var random: SplitMix64
    private var framesLeft: Int?

    private var waveform: [Float] = []
    private var position = 0
    private var silence = 0
    /// Samples of silence to add to the pause after the frame that sounds.
    private var delay = 0
    private var next: [Float]?
    /// What ``next``, or else ``waveform``, says.
    private var token: [UInt8] = []
    /// Samples of the ramp that are still to come; nil while it goes on.
    private var ramp: Int?
    /// Frames that have ended.
    public private(set) var sentCount = 0

    /// - Parameters:
    ///   - levelDBFS: of the peak.
    ///   - frames: how many in all; nil for ever.
    ///   - random: what jitter is drawn from.
    public init(
        _ transmitter: Transmitter, levelDBFS: Double, pauses: Pauses = Pauses(), frames: Int? = nil,
        random: SplitMix64
    ) {
        (self.transmitter, self.pauses, self.random) = (transmitter, pauses, random)
        framesLeft = frames
        gain = Float(pow(10, levelDBFS / 20))
    }

    /// The token of the next frame and of those after it, and what makes them: nil, what made the one before. Throws:
    /// ``TokenError``.
    ///
    /// - Parameter transmitter: of the same sample rate.
    public mutating func send(_ token: [UInt8], by transmitter: Transmitter? = nil) throws(TokenError) {
        guard token != self.token || waveform.isEmpty || transmitter != nil else {
            next = next ?? waveform
            return
        }
        if let transmitter {
            precondition(transmitter.sampleRateHz == self.transmitter.sampleRateHz, "the clock goes on")
            self.transmitter = transmitter
        }
        next = try self.transmitter.waveform(of: token).map { $0 * gain }
        self.token = token
    }

    /// Whether the last token given is on the air or was: another one may follow.
    public var isReadyForToken: Bool { next == nil }

    /// Whether all frames were sent, or it was stopped: only silence comes.
    public var isOver: Bool {
        if let ramp { return ramp == 0 }
        return framesLeft == 0 && isBetweenFrames
    }

    /// Whether no frame sounds.
    public var isBetweenFrames: Bool { position == waveform.count }

    /// No token follows: once the one that was given last is on the air, it is over after that frame.
    public mutating func finish() {
        guard next == nil else { return }
        framesLeft = min(framesLeft ?? .max, isBetweenFrames ? 0 : 1)
    }

    /// Falls silent within 5 ms.
    public mutating func stop() {
        guard ramp == nil else { return }
        ramp = isBetweenFrames ? 0 : Int(Broadcast.rampSeconds * transmitter.sampleRateHz)
    }

    /// Puts the next frame off by so many seconds, if none sounds.
    public mutating func hold(seconds: Double) {
        if isBetweenFrames { silence = max(silence, Int(seconds * transmitter.sampleRateHz)) }
    }

    /// Lengthens the pause before the next frame by so many seconds, whether a frame sounds or not.
    public mutating func delayNextFrame(seconds: Double) {
        let count = Int(seconds * transmitter.sampleRateHz)
        if isBetweenFrames { silence += count } else { delay += count }
    }

    /// The next samples, one channel.
    public mutating func fill(_ samples: UnsafeMutableBufferPointer<Float>) {
        var filled = 0
        while filled < samples.count { filled += run(into: .init(rebasing: samples[filled...])) }
    }

    /// The next samples of one frame, of one pause, or of the ramp. Returns how many: one at least.
    private mutating func run(into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        if let left = ramp { return fade(left, into: samples) }
        if isBetweenFrames {
            guard silence == 0 else {
                let count = min(silence, samples.count)
                samples[..<count].update(repeating: 0)
                silence -= count
                return count
            }
            guard begin() else {
                samples.update(repeating: 0)
                return samples.count
            }
        }
        let count = min(waveform.count - position, samples.count)
        _ = samples[..<count].update(fromContentsOf: waveform[position..<position + count])
        position += count
        if isBetweenFrames { end() }
        return count
    }

    /// The last samples of a frame that was stopped, and then silence.
    private mutating func fade(_ left: Int, into samples: UnsafeMutableBufferPointer<Float>) -> Int {
        let count = min(left, waveform.count - position, samples.count)
        guard count > 0 else {
            ramp = 0
            samples.update(repeating: 0)
            return samples.count
        }
        let total = Float(Broadcast.rampSeconds * transmitter.sampleRateHz)
        for n in 0..<count { samples[n] = waveform[position + n] * (Float(left - n) / total) }
        ramp = left - count
        position += count
        return count
    }

    /// Whether there is a frame to send.
    private mutating func begin() -> Bool {
        guard framesLeft != 0 else { return false }
        if let next { waveform = next }
        next = nil
        guard !waveform.isEmpty else { return false }
        position = 0
        return true
    }

    private mutating func end() {
        sentCount += 1
        if let left = framesLeft { framesLeft = left - 1 }
        let rateHz = transmitter.sampleRateHz
        let gap = Int(WaveformProfile.standardGapSeconds * rateHz)
        let rest = Int(pauses.everySeconds * rateHz) - waveform.count
        silence = max(gap, rest) + Int(random.nextUnit() * pauses.jitterSeconds * rateHz) + delay
        delay = 0
    }
}
