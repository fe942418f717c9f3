import Synchronization

/// Of the pages that web keys of a store are for: their scripts may talk to the server. As they were a few seconds ago.
public final class WebOrigins: Sendable {
    private let origins = Mutex<Set<String>>([])

    func set(_ new: Set<String>) { origins.withLock { $0 = new } }

    /// Whether there is none.
    public var isEmpty: Bool { origins.withLock { $0.isEmpty } }

    /// - Parameter origin: in lower case, as all of them are.
    public func contains(_ origin: String) -> Bool { origins.withLock { $0.contains(origin) } }
}
