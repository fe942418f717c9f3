import Foundation

/// A store of what a manager does in the background, for the process that follows if this one is killed. An
/// operation that ends in this process is removed.
///
/// The store expects one manager for an API key and a state store. If there are several, it keeps the state
/// of the manager that last began or ended an operation.
final class BackgroundOperationStore: Sendable {
    /// The operations that the previous process left.
    let left: [GNSSavedOperation]
    private let store: any GNSStateStore
    private let key: String
    private let log: DebugLog
    private let live = Locked<[UInt64: GNSSavedOperation]>([:])

    init(_ store: any GNSStateStore, apiKey: String, log: DebugLog) {
        (self.store, self.log) = (store, log)
        key = "background-\(BackgroundOperationStore.name(of: apiKey))"
        let data = store.data(for: key)
        left = data.flatMap { try? JSONDecoder().decode([GNSSavedOperation].self, from: $0) } ?? []
    }

    /// Returns the API key's FNV-1a hash of 64 bits, as a name for the file that does not show the key.
    private static func name(of apiKey: String) -> String {
        let hash = apiKey.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return String(hash, radix: 16)
    }

    func note(_ operation: GNSSavedOperation, _ number: UInt64) {
        live.withLock { live in
            live[number] = operation
            save(live)
        }
    }

    func remove(_ number: UInt64) {
        live.withLock { live in
            guard live.removeValue(forKey: number) != nil else { return }
            save(live)
        }
    }

    private func save(_ live: [UInt64: GNSSavedOperation]) {
        let operations = live.sorted { $0.key < $1.key }.map(\.value)
        do {
            try store.set(operations.isEmpty ? nil : JSONEncoder().encode(operations), for: key)
        } catch {
            log.warn("Background: Not saved: \(error)")
        }
    }
}
