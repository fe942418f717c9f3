import Nearby

/// What a service allows.
public struct ServiceSettings: Sendable, Hashable {
    /// How devices of a project are brought together; the same for all projects.
    public var registry = RegistrySettings()

    // Of a report.
    /// Entries of each of its lists: what is published, subscribed to and ended, observed and playing.
    public var longestList = 200
    /// Publications, and subscriptions, of a device.
    public var operationsPerDevice = 100
    /// Bytes of all that a device publishes at one time: contents alone, without types and namespaces.
    public var contentBytesPerDevice = 1 << 20
    /// Untaken news, after which a mailbox is given up.
    public var newsPerDevice = 1000
    /// Devices of a project at one time; for one more, another has to leave.
    public var devicesPerProject = 200_000

    /// Reports of one device, heartbeats included.
    public var reportsPerDevice = Budget.Limit(perSecond: 5, atOnce: 50)
    /// Reports of all devices of a project together.
    public var reportsPerProject = Budget.Limit(perSecond: 50_000, atOnce: 50_000)
    /// Requests of one address: behind one there may be a whole building.
    public var requestsPerAddress = Budget.Limit(perSecond: 10_000, atOnce: 20_000)
    /// Registrations, and secrets that are none, of one address.
    public var registrationsPerAddress = Budget.Limit(perSecond: 20, atOnce: 500)
    /// Beacons that one address asks about: who is in a street full of them asks again and again, who tries names one after another
    /// gets not far.
    public var beaconsPerAddress = Budget.Limit(perSecond: 500, atOnce: 20_000)
    /// New devices of a project, from whatever address.
    public var registrationsPerProject = Budget.Limit(perSecond: 50, atOnce: 50_000)
    /// Tokens that turn out to be invalid. What all devices of a project may name in a day, those that are new or clean included,
    /// meets one of a million live tokens with a chance under 10⁻⁶: 200 a second would be 86 400 × 200 × 10⁶ ∕ 2⁶⁴.
    public var invalidPerDevice = Budget.Limit(perSecond: 0.2, atOnce: 60)
    /// Invalid tokens of all devices of a project together; when they are used up, ``cleanAfter`` says who
    /// may still name one.
    public var invalidPerProject = Budget.Limit(perSecond: 100, atOnce: 20_000)
    /// A token that more devices hear, or that is heard in more networks, is worth a warning: see ``RelayWatch``.
    public var listenersPerToken = 300
    /// A token that is heard in more networks is worth a warning. A network is the first three numbers of an
    /// IPv4 address, or the first three groups of an IPv6 one.
    public var networksPerToken = 40
    /// Who has not named one for so long may always name one.
    public var cleanAfter = Duration.seconds(3600)

    /// The standard values; those for invalid tokens make guessing hopeless, see ``invalidPerDevice``.
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
