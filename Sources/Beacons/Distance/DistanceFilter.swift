import Glibc

/// Sightings of one beacon, and how far away they say it is: the median of the last seconds' RSSI in a ``PathLossModel``.
///
/// A value: time comes in, from any start. It holds at most ``capacity`` sightings.
///
/// What it is worth: README. A Kalman filter would follow a walk as late, and one sighting 20 dB off would move it; a median of five
/// does not mind two.
public struct DistanceFilter: Sendable {
    private struct Sighting {
        let time: Duration
        let rssiDBm: Int8
    }

    /// Sightings kept: older ones give way.
    public static let capacity = 16
    /// What the specification says for "not known" (volume 4, part E, section 7.7.65.2).
    public static let unknownRSSI: Int8 = 127
    /// The range there of what is known.
    static let knownRSSI: ClosedRange<Int8> = -127...20

    /// Makes metres of decibels.
    public let model: PathLossModel
    /// Sightings as old count no more.
    public let memory: Duration
    private var sightings: [Sighting] = []

    /// - Parameter memory: longer is steadier, and follows a walk later.
    public init(model: PathLossModel = PathLossModel(), memory: Duration = .seconds(5)) {
        (self.model, self.memory) = (model, memory)
        sightings.reserveCapacity(DistanceFilter.capacity)
    }

    /// An unknown RSSI, 127 or another beyond what there is, is left out.
    public mutating func add(rssiDBm: Int8, at time: Duration) {
        guard DistanceFilter.knownRSSI.contains(rssiDBm) else { return }
        if sightings.count == DistanceFilter.capacity { sightings.removeFirst() }
        sightings.append(Sighting(time: time, rssiDBm: rssiDBm))
    }

    /// Median of what is not too old; nil where there is nothing.
    public func rssiDBm(at now: Duration) -> Double? {
        let (recent, count) = sorted(at: now)
        guard count > 0 else { return nil }
        return (Double(recent[(count - 1) / 2]) + Double(recent[count / 2])) / 2
    }

    /// Nil where there is nothing that is not too old.
    public func estimate(at now: Duration, reference: ReferencePower) -> DistanceEstimate? {
        guard let rssi = rssiDBm(at: now) else { return nil }
        let count = sorted(at: now).count
        return DistanceEstimate(
            meters: model.meters(rssiDBm: rssi, reference: reference),
            accuracyFactor: pow(10, model.spreadDecibels(count: count) / (10 * model.exponent)),
            sightingCount: count)
    }

    private func sorted(at now: Duration) -> (recent: [Int8], count: Int) {
        let recent = sightings.filter { now - $0.time < memory }.map(\.rssiDBm).sorted()
        return (recent, recent.count)
    }
}
