import AudioIO
import CommandOutput
import Sounding

/// A measurement that plays the sounding on one device while another records it.
///
///     SoundingSignal ─▶ ALSAPlayback ─ air ─▶ ALSACapture ─▶ samples
struct LiveSounding {
    /// The time of recording after the last played sample, for the delay of both devices, and for echoes.
    private static let tailSeconds = 1.5
    /// The time without sound after which the microphone is given up.
    private static let patienceSeconds = 5.0

    let playback: String
    let capture: String

    /// Returns the mean of the captured channels. Throws: the errors of ``ALSACapture`` and ``ALSAPlayback``;
    /// unavailable if no sound comes in.
    func record() throws -> (samples: [Float], rateHz: Double) {
        let microphone = try ALSACapture(capture)
        let speaker = try ALSAPlayback(playback)
        let signal = SoundingSignal(sampleRateHz: Double(speaker.format.sampleRateHz))
        let played = signal.samples
        var block = AudioBlock(channelCount: speaker.format.channelCount, capacity: speaker.periodFrames)
        var samples: [Float] = []
        var progress = Progress(total: played.count)
        defer { progress.clear() }
        let rateHz = Double(microphone.format.sampleRateHz)
        var position = 0
        // Until the microphone delivers sound, playing would be in vain.
        try listen(microphone, into: &samples, frames: 1)
        while position < played.count, !Interruption.hasCome {
            let count = min(block.capacity, played.count - position)
            block.resize(to: count)
            block.withMutableChannel(0) { for n in 0..<count { $0[n] = played[position + n] } }
            block.copyFirstChannel()
            try speaker.write(block)
            position += count
            try listen(microphone, into: &samples, frames: 0)
            progress.update(done: position, seconds: Double(position) / signal.sampleRateHz)
        }
        try speaker.finish()
        try listen(
            microphone, into: &samples, frames: Int(LiveSounding.tailSeconds * rateHz))
        for (name, health) in [(playback, speaker.health), (capture, microphone.health)] {
            guard health.loss == nil, health.reopenings == 0 else {
                throw CommandFailure(
                    .unavailable,
                    "\(name): was lost while the sounding was played: \(health.loss ?? "it is back now"); run probe again"
                )
            }
        }
        return (samples, rateHz)
    }

    /// Takes the waiting frames, and waits for at least `frames` of them.
    private func listen(
        _ microphone: ALSACapture, into samples: inout [Float], frames: Int
    ) throws {
        var block = AudioBlock(
            channelCount: microphone.format.channelCount, capacity: microphone.periodFrames)
        let (first, began) = (samples.count, WallClock.monotonic)
        // Samples that come meanwhile are for the next call, because a device without a clock has no end.
        let wanted = max(frames, microphone.waitingFrames)
        while samples.count - first < wanted, !Interruption.hasCome {
            guard try microphone.read(into: &block) else { return }
            samples += repeatElement(0, count: block.missingFrames)
            block.appendMean(to: &samples)
            if block.frameCount == 0, WallClock.monotonic - began > LiveSounding.patienceSeconds {
                throw CommandFailure(.unavailable, "\(capture): no sound comes in; is it muted or suspended?")
            }
        }
    }
}
