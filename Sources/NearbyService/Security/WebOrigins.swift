import Synchronization

/// The origins of the pages for which a store's web keys are valid. Scripts of these pages may talk to the
/// server. The set is a few seconds old.
package final class WebOrigins: Sendable {
    private let origins = Mutex<Set<String>>([])

    func set(_ new: Set<String>) { origins.withLock { $0 = new } }

    /// True if there is no origin.
    package var isEmpty: Bool { origins.withLock { $0.isEmpty } }

    /// - Parameter origin: an origin in lower case, as all stored origins are.
    package func contains(_ origin: String) -> Bool { origins.withLock { $0.contains(origin) } }
}
