import AcousticModem
import LiveModem
import Nearby
import Signal

/// What the loudspeaker plays for an assignment. A value: no device, no clock but the samples it makes. Opposite:
/// ``TokenReceiver``.
///
///     continuous:  | token | bytes | token | …
///     bursts:      | token | listens | waits while others send, then a moment more ‥| token | …
public struct TokenTransmitter: Sendable {
    /// After its longest time to listen, it waits so much longer for others to end.
    private static let patienceSeconds = 8.0

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
    /// The waveform and lane of the last frame; nil before the first one.
    private var lastForm: Form?
    private var turn = 0
    private var sender: Broadcast?
    private var sentBefore = 0
    /// How long this device waits once the band is free: drawn for each wait, or all who wait would begin together.
    private var backoffSeconds: Double?
    /// How long it has waited for the others.
    private var waitedSeconds = 0.0

    /// Silent until ``carryOut(_:)``.
    ///
    /// - Parameters:
    ///   - sampleRateHz: of what it makes; it must hold the waveforms' bands.
    ///   - seed: draws lanes, pauses and waits; the same seed makes the same sound.
    public init(_ settings: AudioMediumSettings = AudioMediumSettings(), sampleRateHz: Double, seed: UInt64) {
        (self.settings, self.sampleRateHz) = (settings, sampleRateHz)
        random = SplitMix64(seed: seed)
        waveform = settings.profile
    }

    /// Whether it has nothing more to play.
    public var isSilent: Bool { broadcast == nil && (sender?.isOver ?? true) }

    /// From now on; a frame that sounds goes on to its end, unless nothing is broadcast any more.
    public mutating func carryOut(_ broadcast: MediumAssignment.Broadcast?) {
        guard broadcast != self.broadcast else { return }
        let isOtherIdentity = lanes.replace(with: broadcast?.payloads ?? [], &random)
        let next = broadcast.map { settings.waveform($0.profile) } ?? waveform
        let isOther = next != waveform
        waveform = next
        let isLonger = frameSeconds(broadcast) != frameSeconds(self.broadcast)
        if broadcast?.cadence != self.broadcast?.cadence || isLonger || isOther || sender?.isOver ?? true {
            // Whoever changes pace mid-frame would have to cut it off.
            pace(broadcast)
        }
        self.broadcast = broadcast
        turn = 0
        if broadcast == nil { sender?.stop() } else { queue() }
        if isOtherIdentity, broadcast?.cadence == .continuous {
            // Without it, frames of the new token would go on at the old one's beat, by which it can be told.
            let seconds = random.nextUnit() * frameSeconds(broadcast)
            sender?.delayNextFrame(seconds: seconds)
        }
    }

    /// The next samples, one channel. `isBusy`: somebody else is sending. Returns what to tell the engine.
    public mutating func fill(
        _ samples: UnsafeMutableBufferPointer<Float>, isBusy: Bool
    ) -> [MediumEvent] {
        guard sender != nil else {
            samples.update(repeating: 0)
            return []
        }
        if sender!.isOver, let broadcast {
            // It was stopped, and asked to go on before it had fallen silent.
            pace(broadcast)
            queue()
        }
        wait(whileBusy: isBusy, blockSeconds: Double(samples.count) / sampleRateHz)
        sender!.fill(samples)
        if sender!.isReadyForToken { queue() }
        let sent = sender!.sentCount - sentBefore
        sentBefore = sender!.sentCount
        return Array(repeating: .sent, count: sent)
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
            // Boxes that are switched on together do not begin together.
            sender!.hold(seconds: random.nextUnit() * shortest)
        }
    }

    private func transmitter(_ form: Form) -> Transmitter {
        Transmitter(profile: form.waveform, lane: form.lane, sampleRateHz: sampleRateHz)
    }

    /// What a payload is made of.
    private func waveform(of payload: Nearby.Sighting.Payload) -> WaveformProfile {
        guard case .sealed = payload, waveform == settings.profile else { return waveform }
        return settings.sealedProfile ?? waveform
    }

    /// The next payload's turn.
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

    /// Without those that the waveform is too short for.
    private func payloads(of broadcast: MediumAssignment.Broadcast?) -> [Nearby.Sighting.Payload] {
        broadcast?.payloads.filter { waveform(of: $0).tokenByteCounts.contains($0.frame.count) } ?? []
    }

    /// Of the longest of them: who sends it has its time to listen all the same.
    private func frameSeconds(_ broadcast: MediumAssignment.Broadcast?) -> Double {
        let seconds = payloads(of: broadcast).map {
            waveform(of: $0).durationSeconds(tokenByteCount: $0.frame.count)
        }
        return max(waveform.durationSeconds(tokenByteCount: Token.byteCount), seconds.max() ?? 0)
    }

    /// The window from which the wait is drawn grows with the time that everyone gives the others. Next to one that never
    /// pauses, it speaks all the same after a while: frames of different lanes can be told apart.
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
