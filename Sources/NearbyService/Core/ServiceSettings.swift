import Nearby

/// What a service allows.
public struct ServiceSettings: Sendable, Hashable {
    public var registry = RegistrySettings()

    // Of a report.
    public var longestList = 200
    /// Publications, and subscriptions, of a device.
    public var operationsPerDevice = 100
    public var contentBytesPerDevice = 1 << 20
    /// Untaken news, after which a mailbox is given up.
    public var newsPerDevice = 1000
    public var devicesPerProject = 200_000

    public var reportsPerDevice = Budget.Limit(perSecond: 5, atOnce: 50)
    public var reportsPerProject = Budget.Limit(perSecond: 50_000, atOnce: 50_000)
    /// Requests of one address: behind one there may be a whole building.
    public var requestsPerAddress = Budget.Limit(perSecond: 10_000, atOnce: 20_000)
    /// Registrations, and secrets that are none, of one address.
    public var registrationsPerAddress = Budget.Limit(perSecond: 20, atOnce: 500)
    /// Beacons that one address asks about: who is in a street full of them asks again and again, who tries names one after another
    /// gets not far.
    public var beaconsPerAddress = Budget.Limit(perSecond: 500, atOnce: 20_000)
    public var registrationsPerProject = Budget.Limit(perSecond: 50, atOnce: 50_000)
    /// Tokens that turn out to be invalid. What all devices of a project may name in a day, those that are new or clean included,
    /// meets one of a million live tokens with a chance under 10⁻⁶: 200 a second would be 86 400 × 200 × 10⁶ ∕ 2⁶⁴.
    public var invalidPerDevice = Budget.Limit(perSecond: 0.2, atOnce: 60)
    public var invalidPerProject = Budget.Limit(perSecond: 100, atOnce: 20_000)
    /// A token that more devices hear, or that is heard in more networks, is worth a warning: see ``RelayWatch``.
    public var listenersPerToken = 300
    public var networksPerToken = 40
    /// Who has not named one for so long may always name one.
    public var cleanAfter = Duration.seconds(3600)

    public init() {}
}

/// A tenant: nothing of one is ever matched with another's.
public struct ProjectID: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let number: Int64

    public init(_ number: Int64) { self.number = number }

    public var description: String { String(number) }
    public static func < (a: ProjectID, b: ProjectID) -> Bool { a.number < b.number }
}
