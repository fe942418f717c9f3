import Nearby

/// An answer that goes to a device unasked, as an event of its stream. Devices that are told the same share
/// the text of it, so that a change in a full room is written once:
///
///     {"deliveries":[…]   of all
///     ,"mailbox":"Ew9nAqYJbW8","news":7}   of each
package struct WireEvent: Sendable {
    /// The mailbox that ``news`` counts.
    package let mailbox: String
    /// The number of the last delivery.
    package let news: Int64
    /// The beginning of the text; `nil` if there are no deliveries.
    private let shared: [UInt8]?
    /// Everything but the deliveries.
    private let own: WireAnswer

    /// Encodes an answer without verdicts.
    ///
    /// - Parameter texts: the text that another device was told before this one.
    package init(_ answer: Answer, mailbox: String, news: Int64, sharing texts: inout DeliveryTexts) {
        (self.mailbox, self.news) = (mailbox, news)
        shared = answer.deliveries.isEmpty ? nil : texts.text(of: answer.deliveries)
        var own = answer
        own.deliveries = []
        self.own = WireAnswer(own, mailbox: mailbox, news: news)
    }

    /// True if the event tells the device nothing.
    package var isEmpty: Bool { shared == nil && own.grants == nil && own.keepAliveMillis == nil }

    /// Writes the event as JSON: the same bytes as from ``WireAnswer/json`` of the whole answer.
    package func write(to text: inout [UInt8]) {
        guard let shared else {
            text += own.json
            return
        }
        // The members are sorted by name. The mailbox is always among those that follow.
        text += shared
        text.append(UInt8(ascii: ","))
        text += own.json.dropFirst()
    }
}

/// The text of the deliveries that were written last, for the next device that is told the same.
package struct DeliveryTexts: Sendable {
    private var last: (deliveries: [Answer.Delivery], text: [UInt8]) = ([], [])

    package init() {}

    /// Returns the beginning of an answer with these deliveries.
    mutating func text(of deliveries: [Answer.Delivery]) -> [UInt8] {
        if last.deliveries != deliveries {
            var answer = Answer()
            answer.deliveries = deliveries
            last = (deliveries, WireAnswer(answer).json)
            last.text.removeLast()
        }
        return last.text
    }
}
