import Glibc

/// A filter of one beacon's sightings that estimates its distance: it takes the median RSSI of the last
/// seconds and applies a ``PathLossModel``.
///
/// A value; the caller supplies the time, from any origin. It holds at most ``capacity`` sightings.
///
/// The README states its accuracy. A Kalman filter would follow a walk as late, and one sighting 20 dB off
/// would move it; a median of five tolerates two of them.
public struct DistanceFilter: Sendable {
    private struct Measurement {
        let time: Duration
        let rssiDBm: Int8
    }

    /// The largest number of sightings that are kept; older ones are dropped.
    public static let capacity = 16
    /// The specification's value for "not known" (volume 4, part E, section 7.7.65.2).
    public static let unknownRSSI: Int8 = 127
    /// The specification's range of known values.
    static let knownRSSI: ClosedRange<Int8> = -127...20

    /// The model that converts decibels to metres.
    public let model: PathLossModel
    /// The age from which sightings no longer count.
    public let memory: Duration
    private var sightings: [Measurement] = []

    /// - Parameter memory: a longer memory gives a steadier estimate, which follows a walk later.
    public init(model: PathLossModel = PathLossModel(), memory: Duration = .seconds(5)) {
        (self.model, self.memory) = (model, memory)
        sightings.reserveCapacity(DistanceFilter.capacity)
    }

    /// Adds a sighting. An unknown RSSI, 127 or another value outside the range, is left out.
    public mutating func add(rssiDBm: Int8, at time: Duration) {
        guard DistanceFilter.knownRSSI.contains(rssiDBm) else { return }
        if sightings.count == DistanceFilter.capacity { sightings.removeFirst() }
        sightings.append(Measurement(time: time, rssiDBm: rssiDBm))
    }

    /// Returns the median of the recent sightings; `nil` if there are none.
    public func rssiDBm(at now: Duration) -> Double? {
        let (recent, count) = sorted(at: now)
        guard count > 0 else { return nil }
        return (Double(recent[(count - 1) / 2]) + Double(recent[count / 2])) / 2
    }

    /// Returns the estimate; `nil` if there are no recent sightings.
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
