import AcousticModem
import AudioIO
import Glibc
import Signal

/// The sound that a device sends: frames of a token with pauses between, for ever or a number of times. A
/// value: no device, no clock.
///
///     | frame | pause | frame | pause | frame ◢ ramp, silence …
///             ▲ the token may change here                  ▲ stop()
public struct Broadcast: Sendable {
    /// Silence between frames.
    public struct Pauses: Sendable, Hashable {
        /// The time from the beginning of one frame to that of the next; at least
        /// ``WaveformProfile/standardGapSeconds`` after its end.
        public var everySeconds: Double
        /// The largest random addition to that time: two devices that began together then do not stay
        /// together.
        public var jitterSeconds: Double

        /// Creates pauses. By default frames are as close together as receivers expect repeats, and without
        /// jitter.
        public init(everySeconds: Double = 0, jitterSeconds: Double = 0) {
            (self.everySeconds, self.jitterSeconds) = (everySeconds, jitterSeconds)
        }
    }

    /// The time in which the sound fades out when it is stopped within a frame.
    private static let rampSeconds = 0.005

    private var transmitter: Transmitter
    private let gain: Float
    /// The pauses; a change takes effect from the next frame's end on.
    public var pauses: Pauses
    private var random: SplitMix64
    private var framesLeft: Int?

    private var waveform: [Float] = []
    private var position = 0
    private var silence = 0
    /// The number of samples of silence to add to the pause after the current frame.
    private var delay = 0
    private var next: [Float]?
    /// The token of ``next``, or else of ``waveform``.
    private var token: [UInt8] = []
    /// The number of samples of the ramp that are still to come; `nil` unless it was stopped.
    private var ramp: Int?
    /// The number of frames that have ended.
    public private(set) var sentCount = 0

    /// - Parameters:
    ///   - levelDBFS: the level of the peak.
    ///   - frames: the number of frames in all; `nil` for no end.
    ///   - random: the generator from which jitter is drawn.
    public init(
        _ transmitter: Transmitter, levelDBFS: Double, pauses: Pauses = Pauses(), frames: Int? = nil,
        random: SplitMix64
    ) {
        (self.transmitter, self.pauses, self.random) = (transmitter, pauses, random)
        framesLeft = frames
        gain = Float(pow(10, levelDBFS / 20))
    }

    /// Sets the token of the next frame and of those after it, and their transmitter; `nil` keeps the present
    /// one. Throws: ``TokenError``.
    ///
    /// - Parameter transmitter: a transmitter of the same sample rate.
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

    /// True if the last given token is or was on the air, so that another one may follow.
    public var isReadyForToken: Bool { next == nil }

    /// True if all frames were sent, or it was stopped and faded out: only silence follows.
    public var isOver: Bool {
        if let ramp { return ramp == 0 }
        return framesLeft == 0 && isBetweenFrames
    }

    /// True if no frame sounds.
    public var isBetweenFrames: Bool { position == waveform.count }

    /// Ends the broadcast: after the frame of the last given token, once that token is on the air.
    public mutating func finish() {
        guard next == nil else { return }
        framesLeft = min(framesLeft ?? .max, isBetweenFrames ? 0 : 1)
    }

    /// Stops the sound within 5 ms.
    public mutating func stop() {
        guard ramp == nil else { return }
        ramp = isBetweenFrames ? 0 : Int(Broadcast.rampSeconds * transmitter.sampleRateHz)
    }

    /// Postpones the next frame by at least so many seconds, if no frame sounds.
    public mutating func hold(seconds: Double) {
        if isBetweenFrames { silence = max(silence, Int(seconds * transmitter.sampleRateHz)) }
    }

    /// Lengthens the pause before the next frame by so many seconds, whether a frame sounds or not.
    public mutating func delayNextFrame(seconds: Double) {
        let count = Int(seconds * transmitter.sampleRateHz)
        if isBetweenFrames { silence += count } else { delay += count }
    }

    /// Fills the next samples, one channel.
    public mutating func fill(_ samples: UnsafeMutableBufferPointer<Float>) {
        var filled = 0
        while filled < samples.count { filled += run(into: .init(rebasing: samples[filled...])) }
    }

    /// Fills the next samples of one frame, of one pause, or of the ramp. Returns how many: at least one.
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

    /// Fills the last samples of a stopped frame, and then silence.
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

    /// Begins the next frame; returns false if there is none.
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
