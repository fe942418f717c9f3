import AcousticModem
import LiveModem
import Nearby
import Signal

/// A transmitter that makes the loudspeaker's sound for an assignment. A value: it has no device, and no
/// clock but its samples. Counterpart: ``TokenReceiver``.
///
///     continuous:  | token | bytes | token | … 16 frames, a random pause, 16 frames …
///     bursts:      | token | listens | waits while others send, then a moment more ‥| token | …
public struct TokenTransmitter: Sendable {
    /// The time, beyond its longest time to listen, for which it waits until others end.
    private static let patienceSeconds = 8.0
    /// The number of frames that a continuous sender repeats at one pace. A random pause follows: two boxes
    /// on one lane that began within 75 ms of each other would otherwise hide one another from some receivers
    /// until their tokens change.
    private static let framesAtOnePace = 16

    private struct Form: Hashable {
        var waveform: WaveformProfile
        var lane: Int
    }

    private let settings: AudioMediumSettings
    private let sampleRateHz: Double
    private var random: SplitMix64

    private var broadcast: MediumAssignment.Broadcast?
    private var lanes = LaneTable()
    /// The waveform of the next token.
    private var waveform: WaveformProfile
    /// The waveform and lane of the last frame; `nil` before the first one.
    private var lastForm: Form?
    private var turn = 0
    private var sender: Broadcast?
    private var sentBefore = 0
    /// The number of frames since the last random pause.
    private var pacedCount = 0
    /// The time that this device waits once the band is free; `nil` until it is drawn. It is drawn for each
    /// wait, because otherwise all waiting devices would begin together.
    private var backoffSeconds: Double?
    /// The time for which it has waited for the others.
    private var waitedSeconds = 0.0

    /// Creates a transmitter that is silent until ``carryOut(_:)``.
    ///
    /// - Parameters:
    ///   - sampleRateHz: the rate of the samples that it makes; it must hold the waveforms' bands.
    ///   - seed: the seed of lanes, pauses and waits; the same seed makes the same sound.
    public init(_ settings: AudioMediumSettings = AudioMediumSettings(), sampleRateHz: Double, seed: UInt64) {
        (self.settings, self.sampleRateHz) = (settings, sampleRateHz)
        random = SplitMix64(seed: seed)
        waveform = settings.profile
    }

    /// True if it has nothing more to play.
    public var isSilent: Bool { broadcast == nil && (sender?.isOver ?? true) }

    /// Broadcasts from now on. A frame that sounds goes on to its end, unless nothing is broadcast any more.
    public mutating func carryOut(_ broadcast: MediumAssignment.Broadcast?) {
        guard broadcast != self.broadcast else { return }
        let isOtherIdentity = lanes.replace(with: broadcast?.payloads ?? [], &random)
        let next = broadcast.map { settings.waveform($0.profile) } ?? waveform
        let isOther = next != waveform
        waveform = next
        let isLonger = frameSeconds(broadcast) != frameSeconds(self.broadcast)
        if broadcast?.cadence != self.broadcast?.cadence || isLonger || isOther || sender?.isOver ?? true {
            // A new pace takes effect after the current frame, because a change within it would cut the frame
            // off.
            pace(broadcast)
        }
        self.broadcast = broadcast
        turn = 0
        if broadcast == nil { sender?.stop() } else { queue() }
        if isOtherIdentity, broadcast?.cadence == .continuous {
            // Without the delay, the new token's frames would keep the old one's rhythm, which would link the
            // two.
            leavePace()
        }
    }

    /// Fills the next samples, one channel, and returns the events for the engine. `isBusy` is true if
    /// somebody else is sending.
    public mutating func fill(
        _ samples: UnsafeMutableBufferPointer<Float>, isBusy: Bool
    ) -> [MediumEvent] {
        guard sender != nil else {
            samples.update(repeating: 0)
            return []
        }
        if sender!.isOver, let broadcast {
            // It was stopped, and had to go on before it had fallen silent.
            pace(broadcast)
            queue()
        }
        wait(whileBusy: isBusy, blockSeconds: Double(samples.count) / sampleRateHz)
        sender!.fill(samples)
        if sender!.isReadyForToken { queue() }
        let sent = sender!.sentCount - sentBefore
        sentBefore = sender!.sentCount
        pacedCount += sent
        if pacedCount >= TokenTransmitter.framesAtOnePace, broadcast?.cadence == .continuous { leavePace() }
        return Array(repeating: .sent, count: sent)
    }

    /// Delays the next frame by up to the duration of one.
    private mutating func leavePace() {
        pacedCount = 0
        let seconds = random.nextUnit() * frameSeconds(broadcast)
        sender?.delayNextFrame(seconds: seconds)
    }

    private mutating func pace(_ broadcast: MediumAssignment.Broadcast?) {
        guard let broadcast else { return }
        if sender == nil || sender!.isOver {
            sender = Broadcast(
                Transmitter(profile: waveform, sampleRateHz: sampleRateHz), levelDBFS: settings.levelDBFS,
                random: SplitMix64(seed: random.next()))
            lastForm = nil
            sentBefore = 0
        }
        switch broadcast.cadence {
        case .continuous: sender!.pauses = Broadcast.Pauses()
        case .bursts(let listening):
            let (shortest, longest) = (listening.lowerBound.inSeconds, listening.upperBound.inSeconds)
            sender!.pauses = Broadcast.Pauses(
                everySeconds: frameSeconds(broadcast) + shortest, jitterSeconds: longest - shortest)
            // Devices that are switched on together must not begin together.
            sender!.hold(seconds: random.nextUnit() * shortest)
        }
    }

    private func transmitter(_ form: Form) -> Transmitter {
        Transmitter(profile: form.waveform, lane: form.lane, sampleRateHz: sampleRateHz)
    }

    /// Returns the waveform of a payload.
    private func waveform(of payload: Sighting.Payload) -> WaveformProfile {
        guard case .sealed = payload, waveform == settings.profile else { return waveform }
        return settings.sealedProfile ?? waveform
    }

    /// Queues the next payload in turn.
    private mutating func queue() {
        let payloads = payloads(of: broadcast)
        guard !payloads.isEmpty else { return }
        let payload = payloads[turn % payloads.count]
        let next = Form(waveform: waveform(of: payload), lane: lanes[payload])
        turn += 1
        let transmitter = next == lastForm ? nil : transmitter(next)
        do {
            try sender?.send(payload.frame, by: transmitter)
            lastForm = next
        } catch {
            preconditionFailure("it was asked what its waveform carries: \(error)")
        }
    }

    /// Returns the payloads, without those that are too long for the waveform.
    private func payloads(of broadcast: MediumAssignment.Broadcast?) -> [Sighting.Payload] {
        broadcast?.payloads.filter { waveform(of: $0).tokenByteCounts.contains($0.frame.count) } ?? []
    }

    /// Returns the duration of the longest frame: even its sender then has its time to listen.
    private func frameSeconds(_ broadcast: MediumAssignment.Broadcast?) -> Double {
        let seconds = payloads(of: broadcast).map {
            waveform(of: $0).durationSeconds(tokenByteCount: $0.frame.count)
        }
        return max(waveform.durationSeconds(tokenByteCount: Token.byteCount), seconds.max() ?? 0)
    }

    /// Waits while others send. The window from which the wait is drawn grows with the range of listening
    /// times. Next to a sender that never pauses, the device sends anyway after a while: frames of different
    /// lanes can be told apart.
    private mutating func wait(whileBusy isBusy: Bool, blockSeconds: Double) {
        guard case .bursts(let listening) = broadcast?.cadence, sender!.isBetweenFrames else {
            (backoffSeconds, waitedSeconds) = (nil, 0)
            return
        }
        guard isBusy, waitedSeconds < listening.upperBound.inSeconds + TokenTransmitter.patienceSeconds else {
            backoffSeconds = nil
            return
        }
        waitedSeconds += blockSeconds
        let window = (listening.upperBound - listening.lowerBound).inSeconds / 4
        let wait = backoffSeconds ?? 0.05 + window * random.nextUnit()
        backoffSeconds = wait
        sender!.hold(seconds: wait)
    }
}
