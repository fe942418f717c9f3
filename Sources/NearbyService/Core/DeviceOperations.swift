import Nearby

/// The sizes of a device's publications and subscriptions, as far as its bounds need them.
struct DeviceOperations: Sendable {
    /// The bounds on a device's publications and subscriptions.
    struct Bounds: Sendable {
        /// The largest number of publications, and of subscriptions.
        var count: Int
        /// The largest size of the contents of all publications together, in bytes.
        var contentBytes: Int
        /// The largest size of everything that is kept of them, in bytes: the device's present size plus the
        /// room that the project has left for this device.
        var bytes: Int
    }

    fileprivate struct Weight: Sendable {
        var content = 0
        var total = 0
    }

    private var publications = SortedMap<OperationID, Weight>()
    private var subscriptions = SortedMap<OperationID, Weight>()

    /// The size of everything that is kept of the device, in bytes.
    var byteCount: Int { (publications.values.map(\.total) + subscriptions.values.map(\.total)).reduce(0, +) }

    private init() {}

    init(_ record: DeviceRecord) {
        for (id, one) in record.published { publications[id] = Weight(one.message) }
        for (id, one) in record.subscribed { subscriptions[id] = Weight(one) }
    }

    /// Applies a report's operations, oldest first, and removes from the report those that exceed the bounds.
    ///
    /// Returns the operations that were removed, each with the reason.
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
    /// Returns the reason why there is no room for an operation; `nil` if there is room.
    fileprivate mutating func take(
        _ weight: DeviceOperations.Weight, in held: inout SortedMap<OperationID, DeviceOperations.Weight>,
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
    /// The approximate number of bytes that are kept of each operation besides its content and its names.
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
    /// True if the report publishes, subscribes, or ends anything.
    var changesRecord: Bool {
        isComplete || !published.isEmpty || !subscribed.isEmpty || !ended.isEmpty
    }
}
