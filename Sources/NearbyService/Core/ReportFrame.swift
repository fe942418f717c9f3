import NearbyWire

/// What a report says of itself and of what its device was told.
struct ReportFrame: Sendable {
    var number: Int64?
    var mailbox: String?
    var takenNews: Int64?

    init(_ wire: WireReport) { (number, mailbox, takenNews) = (wire.number, wire.mailbox, wire.takenNews) }
}
