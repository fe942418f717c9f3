import Nearby

/// A device's publications and subscriptions, as far as its bounds need them.
struct DeviceOperations: Sendable {
    /// How much there may be of it.
    struct Bounds: Sendable {
        /// Publications, and subscriptions.
        var count: Int
        /// Contents of all publications.
        var contentBytes: Int
        /// All that is kept of them. Of the project's room what is left for this device, and what it has.
        var bytes: Int
    }

    fileprivate struct Weight: Sendable {
        var content = 0
        var total = 0
    }

    private var publications: [OperationID: Weight] = [:]
    private var subscriptions: [OperationID: Weight] = [:]

    /// All that is kept of it.
    var byteCount: Int { (publications.values.map(\.total) + subscriptions.values.map(\.total)).reduce(0, +) }

    init() {}

    init(_ record: DeviceRecord) {
        publications = record.published.mapValues { Weight($0.message) }
        subscriptions = record.subscribed.mapValues { Weight($0) }
    }

    /// Takes what a report says, oldest first, and takes out of the report what is beyond the bounds.
    ///
    /// Returns the operations that were taken out, and why.
    mutating func take(_ report: inout Report, within bounds: Bounds) -> [OperationID: String] {
        guard report.changesRecord else { return [:] }
        if report.isComplete { self = DeviceOperations() }
        for id in report.ended { (publications[id], subscriptions[id]) = (nil, nil) }
        var refused: [OperationID: String] = [:]
        let content = publications.values.map(\.content).reduce(0, +)
        var left = Bounds(
            count: bounds.count, contentBytes: bounds.contentBytes - content, bytes: bounds.bytes - byteCount)
        for (id, publication) in report.published.sorted(by: { $0.key < $1.key }) {
            guard let message = publication.message else { continue }
            let why = left.take(Weight(message), in: &publications, id, bounds)
            if let why { (refused[id], report.published[id]) = (why, nil) }
        }
        for (id, subscription) in report.subscribed.sorted(by: { $0.key < $1.key }) {
            let why = left.take(Weight(subscription), in: &subscriptions, id, bounds)
            if let why { (refused[id], report.subscribed[id]) = (why, nil) }
        }
        return refused
    }
}

extension DeviceOperations.Bounds {
    /// Returns why there is no room for it; nil when there is.
    fileprivate mutating func take(
        _ weight: DeviceOperations.Weight, in held: inout [OperationID: DeviceOperations.Weight],
        _ id: OperationID, _ all: Self
    ) -> String? {
        let before = held[id]
        let more = (weight.content - (before?.content ?? 0), weight.total - (before?.total ?? 0))
        guard before != nil || held.count < count else {
            return
                "a device has at most \(all.count) publications, and as many subscriptions: end one of them"
        }
        guard more.0 <= max(0, contentBytes) else {
            return
                "a device publishes at most \(all.contentBytes) bytes in all: end a publication, or shorten one"
        }
        guard more.1 <= max(0, bytes) else {
            return
                "the project has no room for more publications and subscriptions now: it is tried again later"
        }
        held[id] = weight
        (contentBytes, bytes) = (contentBytes - more.0, bytes - more.1)
        return nil
    }
}

extension DeviceOperations.Weight {
    /// Bytes that are kept of each beside its content and words, about.
    private static let overhead = 256

    init(_ message: Message) {
        content = message.content.count
        total = Self.overhead + content + message.type.utf8.count + message.namespace.utf8.count
    }

    init(_ subscription: Subscription) {
        total = subscription.filter.rules.reduce(Self.overhead) { sum, rule in
            switch rule {
            case .namespace(let name): sum + 64 + name.utf8.count
            case .type(let type, let name): sum + 64 + type.utf8.count + name.utf8.count
            case .audioBytes: sum
            }
        }
    }
}

extension Report {
    /// Whether it publishes, subscribes or ends anything.
    var changesRecord: Bool {
        isComplete || !published.isEmpty || !subscribed.isEmpty || !ended.isEmpty
    }
}
