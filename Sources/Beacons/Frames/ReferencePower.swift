/// The strength of a beacon as it states it, for whichever distance.
///
/// Eddystone states the power received at 0 m, iBeacon and AltBeacon at 1 m; Eddystone's specification puts
/// 41 dB between the two.
public struct ReferencePower: Hashable, Sendable {
    /// The power in dBm that a phone receives at 1 m.
    public let atOneMeterDBm: Int

    /// Creates the power that iBeacon and AltBeacon state.
    public init(atOneMeterDBm: Int) { self.atOneMeterDBm = atOneMeterDBm }

    /// Creates the power that Eddystone states.
    public init(atZeroMetersDBm: Int) {
        atOneMeterDBm = atZeroMetersDBm - ReferencePower.decibelsOfFirstMeter
    }

    /// The power in dBm that a phone receives at 0 m: 41 dB more than ``atOneMeterDBm``.
    public var atZeroMetersDBm: Int { atOneMeterDBm + ReferencePower.decibelsOfFirstMeter }

    static let decibelsOfFirstMeter = 41
}
