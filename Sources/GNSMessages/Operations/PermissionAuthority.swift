import Dispatch
import Foundation
import Logging
import Nearby

/// The user's decision, for all managers that share a store, and a queue of questions to the user, which are
/// asked one at a time.
final class PermissionAuthority: Sendable {
    typealias Observer = @Sendable (Permission) -> Void
    /// Asks the user. It calls its argument with the answer at most once, or releases it without an answer.
    typealias Question = @Sendable (_ answer: PermissionAnswer) -> Void

    private struct State {
        var permission = Permission.undecided
        var observers: [UInt64: Observer] = [:]
        var lastKey: UInt64 = 0
        var questions: [Question] = []
        var isAsking = false
    }

    private static let key = "permission"
    private let log = Logger(label: "nearby.messages")
    private let store: any GNSStateStore
    private let state = Locked(State())
    /// The queue that notifies observers, outside the lock and in order.
    private let queue = DispatchQueue(label: "nearby.permission")

    init(_ store: any GNSStateStore) { self.store = store }

    /// The decision as the store has it; another process may have changed it.
    var current: Permission {
        state.withLock { state in
            let stored = store.data(for: PermissionAuthority.key).flatMap {
                Permission(rawValue: String(decoding: $0, as: UTF8.self))
            }
            if let stored { change(to: stored, &state) }
            return state.permission
        }
    }

    /// Sets the decision and stores it. If the store cannot keep it, it holds for this process. The decision
    /// settles all waiting questions.
    func decide(_ isGranted: Bool) {
        let permission = isGranted ? Permission.granted : .denied
        let settled: [Question] = state.withLock { state in
            do {
                try store.set(Data(permission.rawValue.utf8), for: PermissionAuthority.key)
            } catch {
                log.warning("the user's permission is not kept: \(error)")
            }
            change(to: permission, &state)
            defer { state.questions = [] }
            return state.questions
        }
        // The questions are released outside the lock, because what they hold may call this object again.
        _ = settled
    }

    private func change(to permission: Permission, _ state: inout State) {
        guard permission != state.permission else { return }
        state.permission = permission
        let observers = Array(state.observers.values)
        queue.async { for observer in observers { observer(permission) } }
    }

    /// Reports the present state to the observer, then every change, until the key is passed to
    /// ``ignore(_:)``.
    func observe(_ observer: @escaping Observer) -> UInt64 {
        // The store is read first, because another process may have decided.
        _ = current
        return state.withLock { state in
            state.lastKey += 1
            state.observers[state.lastKey] = observer
            let permission = state.permission
            queue.async { observer(permission) }
            return state.lastKey
        }
    }

    func ignore(_ key: UInt64) {
        // The observer is released outside the lock, as above.
        _ = state.withLock { $0.observers.removeValue(forKey: key) }
    }

    // MARK: Questions

    /// Asks the user for a new operation, unless permission is granted. The question waits for its turn, and
    /// is dropped if another question is answered first.
    func ask(_ question: @escaping Question) {
        guard current != .granted else { return }
        state.withLock { $0.questions.append(question) }
        askNext()
    }

    private func askNext() {
        let question: Question? = state.withLock { state in
            guard !state.isAsking, !state.questions.isEmpty else { return nil }
            state.isAsking = true
            return state.questions.removeFirst()
        }
        question?(PermissionAnswer { [self] isGranted in finish(isGranted) })
    }

    private func finish(_ isGranted: Bool?) {
        if let isGranted { decide(isGranted) }
        state.withLock { $0.isAsking = false }
        askNext()
    }
}

/// The receiver of one answer. If it is released without an answer, nothing is decided.
final class PermissionAnswer: Sendable {
    private let finish: @Sendable (Bool?) -> Void
    private let isGiven = Locked(false)

    init(_ finish: @escaping @Sendable (Bool?) -> Void) { self.finish = finish }

    deinit { give(nil) }

    func give(_ isGranted: Bool?) {
        let isFirst = isGiven.withLock { isGiven in
            defer { isGiven = true }
            return !isGiven
        }
        if isFirst { finish(isGranted) }
    }
}
