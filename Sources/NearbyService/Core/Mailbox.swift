import Nearby

/// What a device is to be told, until it says that it has it.
///
///     added:   1 2 3 4 5 6 7 8 9
///     taken ─────────┘ └─────────┴ pending        last = 9
struct Mailbox: Sendable {
    /// Another one after every loss of memory: numbers of two mailboxes are not to be mixed up.
    let name: String
    private(set) var pending: [Answer.Delivery] = []
    private(set) var last: Int64 = 0

    init(random: inout some RandomNumberGenerator) { name = Token(using: &random).description }

    mutating func add(_ deliveries: [Answer.Delivery]) {
        pending += deliveries
        last += Int64(deliveries.count)
    }

    /// All up to `number`: what is not there is taken already, or never was.
    mutating func take(upTo number: Int64) {
        pending = Array(news(after: number))
    }

    /// What came after `number`.
    func news(after number: Int64) -> ArraySlice<Answer.Delivery> {
        pending.suffix(Int(last - min(last, max(0, number))))
    }
}
