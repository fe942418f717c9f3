import AcousticModem
import LiveModem
import Nearby
import Signal

/// A receiver of tokens from a microphone's sound. A value: it has no device, and no clock but its samples.
/// Counterpart: ``TokenTransmitter``.
public struct TokenReceiver: Sendable {
    private var receiver: ChannelReceiver
    private var sense: CarrierSense
    private let sampleRateHz: Double
    private var frames = 0

    /// Listens for ``AudioMediumSettings/listensFor``. ``isBusy`` observes the band of
    /// ``AudioMediumSettings/profile``.
    ///
    /// - Parameter sampleRateHz: the rate of the samples, a whole number; it should hold those bands.
    public init(_ settings: AudioMediumSettings = AudioMediumSettings(), sampleRateHz: Double) {
        self.sampleRateHz = sampleRateHz
        receiver = ChannelReceiver(
            profiles: settings.listensFor, sampleRateHz: Int(sampleRateHz), renewsTokens: true)
        sense = CarrierSense(bandHz: settings.profile.bandHz, sampleRateHz: sampleRateHz)
    }

    /// True if somebody is sending.
    public var isBusy: Bool { sense.isBusy }

    /// Takes the next samples; returns the sightings, the device's own frames included.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>) -> [Sighting] {
        sense.hear(samples)
        frames += samples.count
        return sightings(receiver.process(samples))
    }

    /// Skips lost sound of so many samples. Returns the sightings from the sound before it.
    public mutating func skip(frames: Int) -> [Sighting] {
        self.frames += frames
        return sightings(receiver.skip(frames: Int64(frames)))
    }

    private func sightings(_ reports: [DecodeReport]) -> [Sighting] {
        let nowSeconds = Double(frames) / sampleRateHz
        return reports.compactMap { report in
            // Without check bits a token is only likely.
            guard report.isChecked, let payload = Sighting.Payload(frame: report.token) else {
                return nil
            }
            let age = max(0, nowSeconds - report.startSeconds - report.durationSeconds)
            var sighting = Sighting(
                payload, on: .audio, age: .seconds(age), signal: .init(snrDecibels: report.snrDecibels))
            sighting.isRenewal = report.isRenewal
            return sighting
        }
    }
}
