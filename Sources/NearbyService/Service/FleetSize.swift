import Synchronization

/// The number of devices of all projects of this instance, as it was counted last.
///
/// It says how long the devices need to come back after all their streams broke at once.
package final class FleetSize: Sendable {
    /// The bounds of the time within which devices come back, in seconds. The lower bound is the time within
    /// which a device with something nearby tries in any case.
    static let seconds = 2...600

    /// The seconds after which a device with something nearby tries again.
    package static let soon = seconds.lowerBound

    private let devices = Atomic(0)

    func set(_ count: Int) { devices.store(count, ordering: .relaxed) }

    /// Returns the seconds over which all devices spread their return.
    ///
    /// - Parameter rate: the devices that may return each second.
    func secondsToReturn(atRate rate: Double) -> Int {
        let count = Double(devices.load(ordering: .relaxed))
        let (least, most) = (Double(FleetSize.seconds.lowerBound), Double(FleetSize.seconds.upperBound))
        return Int(min(most, max(least, count / rate)).rounded(.up))
    }
}

extension NearbyService {
    /// The seconds over which devices spread their return when their streams break. Each stream tells them
    /// so in advance, because a server that is gone can tell nothing.
    package nonisolated var secondsToReturn: Int {
        fleet.secondsToReturn(atRate: settings.returnsPerSecond)
    }

    /// Counts the devices of all projects again.
    func countDevices() async {
        var count = 0
        for service in await services() { count += await service.deviceCount }
        fleet.set(count)
    }
}
