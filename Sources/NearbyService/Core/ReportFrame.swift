import NearbyWire

/// The part of a report that describes the report itself and the events that its device has received.
struct ReportFrame: Sendable {
    var number: Int64?
    var mailbox: String?
    var takenNews: Int64?

    init(_ wire: WireReport) { (number, mailbox, takenNews) = (wire.number, wire.mailbox, wire.takenNews) }
}
