/// How strong a beacon is, as it says itself, whichever distance it says it for.
///
/// Eddystone states the power received at 0 m, iBeacon and AltBeacon at 1 m; Eddystone's specification puts 41 dB between the two.
public struct ReferencePower: Hashable, Sendable {
    /// dBm that a phone receives at 1 m.
    public let atOneMeterDBm: Int

    /// As iBeacon and AltBeacon say it.
    public init(atOneMeterDBm: Int) { self.atOneMeterDBm = atOneMeterDBm }

    /// As Eddystone says it.
    public init(atZeroMetersDBm: Int) {
        atOneMeterDBm = atZeroMetersDBm - ReferencePower.decibelsOfFirstMeter
    }

    /// dBm that a phone receives at 0 m: 41 dB more than ``atOneMeterDBm``.
    public var atZeroMetersDBm: Int { atOneMeterDBm + ReferencePower.decibelsOfFirstMeter }

    static let decibelsOfFirstMeter = 41
}
