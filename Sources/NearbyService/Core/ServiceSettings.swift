import Nearby

/// The limits of a service.
package struct ServiceSettings: Sendable, Hashable {
    /// The settings of how devices of a project are matched. They are the same for all projects.
    package var registry = RegistrySettings()

    /// The largest number of publications, and of subscriptions, of a device.
    package var operationsPerDevice = 100
    /// The largest size in bytes of all that a device publishes at one time: contents only, without types and
    /// namespaces.
    package var contentBytesPerDevice = 1 << 20
    /// The largest size in bytes of all that the devices of a project publish and subscribe to at one time.
    /// No single network can fill it.
    package var bytesKeptPerProject = 1 << 30
    /// The number of events not yet fetched beyond which a mailbox is given up.
    package var eventsPerDevice = 1000
    /// The largest number of devices of a project at one time. Beyond it, a new device is admitted only after
    /// another has left.
    package var devicesPerProject = 200_000

    /// The limit on reports of one device, including heartbeats.
    package var reportsPerDevice = Budget.Limit(perSecond: 5, atOnce: 50)
    /// The limit on reports of one device that request tokens. Beyond the limit only the request for tokens
    /// waits; the rest of the report is processed.
    package var grantsPerDevice = Budget.Limit(perSecond: 2, atOnce: 60)
    /// The bytes of a report that do not count. No heartbeat is longer.
    package var freeBytes = 1024
    /// The limit on bytes of one device's reports, counted beyond ``freeBytes`` of each report. The cost of
    /// reading a report depends on its size, whatever it contains.
    package var bytesPerDevice = Budget.Limit(perSecond: 262_144, atOnce: 4_194_304)
    /// The limit on these bytes for all devices of a project together. No single network can use it up.
    package var bytesPerProject = Budget.Limit(perSecond: 4_194_304, atOnce: 67_108_864)
    /// The limit on reports of all devices of a project together. No single network can use it up: see
    /// `FairBudget`.
    package var reportsPerProject = Budget.Limit(perSecond: 50_000, atOnce: 50_000)
    /// The limit on requests of one address, behind which there may be a whole building. An IPv6 address
    /// counts by its first 64 bits. A network, which is the first 24 bits of an IPv4 address or 48 bits of an
    /// IPv6 address, has eight times as much as an address. The same holds for the other limits per address.
    package var requestsPerAddress = Budget.Limit(perSecond: 10_000, atOnce: 20_000)
    /// The number of reports and registrations of one network that are processed at a time. Further ones of
    /// that network wait.
    package var requestsAtOncePerNetwork = 64
    /// The limit on registrations of one address.
    package var registrationsPerAddress = Budget.Limit(perSecond: 20, atOnce: 500)
    /// The limit on requests of one address with an unknown key or secret. Beyond it only the answer to such
    /// requests changes: a device with a valid secret is served, whatever its neighbours do.
    package var failuresPerAddress = Budget.Limit(perSecond: 5, atOnce: 100)
    /// The bytes of a question about beacons that do not count. A question that names the largest permitted
    /// number of beacons is not longer.
    static let freeQuestionBytes = 32_768
    /// The number of bytes beyond ``freeQuestionBytes`` that count as one more beacon.
    static let bytesPerBeacon = 100.0
    /// The limit on beacons that one address asks about. It suffices for an app in a street full of beacons
    /// that asks again and again, but not for guessing names one after another.
    package var beaconsPerAddress = Budget.Limit(perSecond: 500, atOnce: 20_000)
    /// The limit on new devices of a project, from any address. No single network can use it up.
    package var registrationsPerProject = Budget.Limit(perSecond: 50, atOnce: 50_000)
    /// The limit on new devices of a web key, from any address. It is lower than the project's, so that apps
    /// are served whatever web pages do. No single network can use it up.
    package var registrationsPerWebKey = Budget.Limit(perSecond: 20, atOnce: 5000)
    /// The number of devices that this instance serves each second when all of them come back at once. From
    /// it follows the time over which they are told to spread their return.
    package var returnsPerSecond = 1000.0
    /// The number of live tokens that guessing may be expected to hit in one day in one project with all
    /// limits used up: see `GuessLimits`.
    package var expectedGuessesPerDay = 1e-6
    /// The number of devices that may hear one token before a warning is logged: see `RelayWatch`.
    package var listenersPerToken = 300
    /// The number of networks in which one token may be heard before a warning is logged. A network is the
    /// first three numbers of an IPv4 address, or the first three groups of an IPv6 address.
    package var networksPerToken = 40

    /// Creates the settings with their standard values.
    package init() {}

    /// Returns the settings of a project with a quota of devices of its own. The limits on what all devices
    /// of a project do together grow and shrink with the quota. A quota over the standard one also raises the
    /// registrations, so that a whole fleet is back ten minutes after it was reset.
    func scaled(to deviceQuota: Int?) -> ServiceSettings {
        guard let deviceQuota else { return self }
        var scaled = self
        let factor = Double(deviceQuota) / Double(devicesPerProject)
        scaled.devicesPerProject = deviceQuota
        scaled.reportsPerProject = reportsPerProject.scaled(by: factor)
        scaled.bytesPerProject = bytesPerProject.scaled(by: factor)
        scaled.bytesKeptPerProject = Int(max(1e6, Double(bytesKeptPerProject) * factor))
        if factor > 1 {
            scaled.registrationsPerProject = Budget.Limit(
                perSecond: max(registrationsPerProject.perSecond, Double(deviceQuota) / 600),
                atOnce: registrationsPerProject.atOnce * factor)
        }
        return scaled
    }
}

extension Budget.Limit {
    /// Returns the limit of a project that is so many times as large. It always leaves room for a small one.
    fileprivate func scaled(by factor: Double) -> Budget.Limit {
        Budget.Limit(
            perSecond: max(perSecond * factor, min(perSecond, 100)),
            atOnce: max(atOnce * factor, min(atOnce, 1000)))
    }
}

/// The identifier of a tenant. Nothing of one project is ever matched with another's.
package struct ProjectID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number that the store assigns, which is over 0. Every secret of the project contains it.
    package let number: Int64

    /// - Parameter number: the number that the store assigned.
    package init(_ number: Int64) { self.number = number }

    package var description: String { String(number) }
    package static func < (a: ProjectID, b: ProjectID) -> Bool { a.number < b.number }
}
