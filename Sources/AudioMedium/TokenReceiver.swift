import AcousticModem
import AudioIO
import LiveModem
import Nearby
import Signal

/// A receiver of tokens from the sound of one microphone or of several. A value: it has no device, and no
/// clock but its samples. Counterpart: ``TokenTransmitter``.
public struct TokenReceiver: Sendable {
    private var receiver: MultichannelReceiver
    private var sense: CarrierSense
    private let format: AudioFormat

    /// Listens for ``AudioMediumSettings/listensFor``, on all channels. ``isBusy`` observes the band of
    /// ``AudioMediumSettings/profile`` on the first one.
    ///
    /// - Parameter format: its rate should hold those bands.
    public init(_ settings: AudioMediumSettings = AudioMediumSettings(), format: AudioFormat) {
        self.format = format
        receiver = MultichannelReceiver(
            profiles: settings.listensFor, format: format, options: ReceiverOptions(renewsTokens: true))
        sense = CarrierSense(
            bandHz: settings.profile.bandHz, sampleRateHz: Double(format.sampleRateHz))
    }

    /// Does the same on one channel.
    ///
    /// - Parameter sampleRateHz: the rate of the samples, a whole number; it should hold those bands.
    public init(_ settings: AudioMediumSettings = AudioMediumSettings(), sampleRateHz: Double) {
        self.init(settings, format: AudioFormat(sampleRateHz: Int(sampleRateHz), channelCount: 1))
    }

    /// True if somebody is sending.
    public var isBusy: Bool { sense.isBusy }

    /// Takes the next frames, and before them the time of lost ones; returns the sightings, the device's own
    /// frames included. Precondition: the block has the channels of the format.
    public mutating func hear(_ block: AudioBlock) -> [Sighting] {
        block.withChannel(0) { sense.hear($0) }
        return sightings(receiver.process(block).map { $0.report })
    }

    /// Does the same with the next samples of one channel.
    public mutating func hear(_ samples: UnsafeBufferPointer<Float>) -> [Sighting] {
        hear(AudioBlock(mono: Array(samples)))
    }

    private func sightings(_ reports: [DecodeReport]) -> [Sighting] {
        let nowSeconds = Double(receiver.frameCount) / Double(format.sampleRateHz)
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
