import Nearby

/// What a service allows.
public struct ServiceSettings: Sendable, Hashable {
    /// How devices of a project are brought together; the same for all projects.
    public var registry = RegistrySettings()

    /// Publications, and subscriptions, of a device.
    public var operationsPerDevice = 100
    /// Bytes of all that a device publishes at one time: contents alone, without types and namespaces.
    public var contentBytesPerDevice = 1 << 20
    /// Bytes of all that the devices of a project publish and subscribe to at one time. No network can fill it alone.
    public var bytesKeptPerProject = 1 << 30
    /// Untaken news, after which a mailbox is given up.
    public var newsPerDevice = 1000
    /// Devices of a project at one time; for one more, another has to leave.
    public var devicesPerProject = 200_000

    /// Reports of one device, heartbeats included.
    public var reportsPerDevice = Budget.Limit(perSecond: 5, atOnce: 50)
    /// Reports of one device that ask for tokens: each is kept by the store. Beyond it a wish waits, and nothing else of its report.
    public var grantsPerDevice = Budget.Limit(perSecond: 2, atOnce: 60)
    /// Bytes of a report that are not counted: no heartbeat is longer.
    public var freeBytes = 1024
    /// Bytes of the reports of one device beyond ``freeBytes`` each. To read a report costs its bytes, whatever is in it.
    public var bytesPerDevice = Budget.Limit(perSecond: 262_144, atOnce: 4_194_304)
    /// Such bytes of all devices of a project together. No network can use them up alone.
    public var bytesPerProject = Budget.Limit(perSecond: 4_194_304, atOnce: 67_108_864)
    /// Reports of all devices of a project together. No network can use them up alone: see ``FairBudget``.
    public var reportsPerProject = Budget.Limit(perSecond: 50_000, atOnce: 50_000)
    /// Requests of one address: behind one there may be a whole building. An IPv6 address counts by its first 64 bits, and a network, the
    /// first 24 bits of IPv4 or 48 of IPv6, has eight times as much as an address; so do the others here.
    public var requestsPerAddress = Budget.Limit(perSecond: 10_000, atOnce: 20_000)
    /// Reports and registrations of one network that are worked on at a time; the others of that network wait.
    public var requestsAtOncePerNetwork = 64
    /// Registrations of one address.
    public var registrationsPerAddress = Budget.Limit(perSecond: 20, atOnce: 500)
    /// Requests of one address with a key or secret that is none. Beyond it the answer is another one, nothing else: who has a secret is
    /// served, whatever its neighbours do.
    public var failuresPerAddress = Budget.Limit(perSecond: 5, atOnce: 100)
    /// Bytes of a question about beacons that are not counted: as many beacons as it may name are not longer.
    static let freeQuestionBytes = 32_768
    /// So many bytes of a question beyond those count as one beacon more.
    static let bytesPerBeacon = 100.0
    /// Beacons that one address asks about: who is in a street full of them asks again and again, who tries names one after another
    /// gets not far.
    public var beaconsPerAddress = Budget.Limit(perSecond: 500, atOnce: 20_000)
    /// New devices of a project, from whatever address. No network can use them up alone.
    public var registrationsPerProject = Budget.Limit(perSecond: 50, atOnce: 50_000)
    /// New devices of a web key, from whatever address: less than the project's, so that apps are served whatever pages do. No network
    /// can use them up alone.
    public var registrationsPerWebKey = Budget.Limit(perSecond: 20, atOnce: 5000)
    /// Live tokens that guessing may be expected to hit in a day, in one project, at all limits: see ``GuessLimits``.
    public var expectedGuessesPerDay = 1e-6
    /// A token that more devices hear, or that is heard in more networks, is worth a warning: see ``RelayWatch``.
    public var listenersPerToken = 300
    /// A token that is heard in more networks is worth a warning. A network is the first three numbers of an
    /// IPv4 address, or the first three groups of an IPv6 one.
    public var networksPerToken = 40

    /// The standard values.
    public init() {}
}

/// A tenant: nothing of one is ever matched with another's.
public struct ProjectID: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Given by the store, over 0. Every secret of the project shows it.
    public let number: Int64

    /// - Parameter number: as the store has it.
    public init(_ number: Int64) { self.number = number }

    public var description: String { String(number) }
    public static func < (a: ProjectID, b: ProjectID) -> Bool { a.number < b.number }
}
