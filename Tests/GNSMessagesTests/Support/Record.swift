import Dispatch
import Foundation
import GNSMessages

/// A record of the handlers' calls, in order, with a note whether each was on the main thread.
final class Record: @unchecked Sendable {
    private static let isMain: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    private let lock = NSLock()
    private var entries: [(words: String, value: Any?, isOnMain: Bool)] = []

    init() { _ = Record.isMain }

    func add(_ words: String, _ value: Any?) {
        let isOnMain = DispatchQueue.getSpecific(key: Record.isMain) ?? false
        lock.withLock { entries.append((words, value, isOnMain)) }
    }

    var words: [String] { lock.withLock { entries.map(\.words) } }
    var isEmpty: Bool { lock.withLock { entries.isEmpty } }
    var areAllOnMain: Bool { lock.withLock { entries.allSatisfy(\.isOnMain) } }
    func values<Value>(_ words: String, as: Value.Type = Value.self) -> [Value] {
        lock.withLock { entries.filter { $0.words == words }.compactMap { $0.value as? Value } }
    }

    // MARK: Handlers that write here

    var found: GNSMessageHandler { { self.add("found", $0) } }
    var lost: GNSMessageHandler { { self.add("lost", $0) } }
    var status: GNSOperationStatusHandler { { self.add("status", $0) } }
    var permission: GNSPermissionHandler { { self.add("permission", $0) } }

    var foundTexts: [String] { values("found", as: GNSMessage.self).map(\.text) }
    var lostTexts: [String] { values("lost", as: GNSMessage.self).map(\.text) }
    var statuses: [GNSOperationStatus] { values("status") }
}

extension GNSMessage {
    convenience init(_ text: String, type: String = "") { self.init(content: Data(text.utf8), type: type) }
    var text: String { String(decoding: content, as: UTF8.self) }
}

extension GNSMessageManager {
    func subscription(to record: Record, _ block: GNSSubscriptionParamsBlock? = nil) -> (any GNSSubscription)?
    {
        subscription(
            messageFoundHandler: record.found, messageLostHandler: record.lost,
            paramsBlock: { params in
                params?.statusHandler = record.status
                block?(params)
            })
    }
}
