import NearbyService
import Synchronization

/// The table of all connections of a listener. It decides which new connections are admitted and which old
/// ones are closed for them.
///
/// The table closes the oldest stranger first, then the known connection that has been idle for longest. A
/// connection whose request is being answered stays. A site or a network above its share causes only its own
/// connections to be closed.
final class ConnectionTable: Sendable {
    enum Refusal: Error {
        /// Every place is taken by a connection whose request is being answered.
        case full
        /// The bodies that are being received on all connections have too many bytes together.
        case bodies
        /// The bodies that are being received from this address have too many bytes together.
        case bodiesOfAddress
    }

    /// The table's entry for one connection.
    private struct Entry {
        let address: IPAddress?
        let close: @Sendable () -> Void
        var isKnown = false
        /// True if the shares of its site and its network do not count it: the peer is another instance or a
        /// trusted proxy.
        var isExempt: Bool
        var bodyBytes = 0
    }

    /// The connections of one site or one network.
    private struct Group {
        var count = 0
        var strangers = AgeQueue()
        var idle = AgeQueue()
        var bodyBytes = 0
    }

    private enum GroupKey: Hashable {
        case site(IPAddress)
        case network(IPAddress)
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        var all = Group()
        var groups: [GroupKey: Group] = [:]
        var strangerBodyBytes = 0
        var nextNumber = 0
        var displaced = 0
        var refused = 0
    }

    /// The numbers of connections.
    struct Counts: Sendable {
        var connections: Int
        var strangers: Int
        /// Connections that were closed to make room for others, since the start.
        var displaced: Int
        /// Connections for which there was no room, since the start.
        var refused: Int
    }

    let limits: ConnectionLimits
    private let state = Mutex(State())

    init(_ limits: ConnectionLimits) { self.limits = limits }

    var counts: Counts {
        state.withLock {
            Counts(
                connections: $0.entries.count, strangers: $0.all.strangers.count, displaced: $0.displaced,
                refused: $0.refused)
        }
    }

    /// True if the table keeps nothing about any connection.
    var isEmpty: Bool {
        state.withLock {
            $0.entries.isEmpty && $0.groups.isEmpty && $0.strangerBodyBytes == 0 && $0.all.bodyBytes == 0
                && $0.all.count == 0 && $0.all.strangers.count == 0 && $0.all.idle.count == 0
        }
    }

    /// Admits a new connection as a stranger.
    ///
    /// - Parameters:
    ///   - address: The address of the peer; `nil` for a Unix socket.
    ///   - close: Ends the connection at once. It is called at most once, from any thread.
    /// - Returns: The number of the connection, and how many others were closed for it.
    /// - Throws: ``Refusal/full``.
    func admit(
        from address: IPAddress?, isExempt: Bool, close: @escaping @Sendable () -> Void
    ) throws(Refusal) -> (number: Int, displaced: Int) {
        let (number, victims) = state.withLock { state -> (Int?, [Entry]) in
            guard let victims = ConnectionTable.makeRoom(for: isExempt ? nil : address, limits, &state) else {
                state.refused += 1
                return (nil, [])
            }
            state.displaced += victims.count
            let number = state.nextNumber
            state.nextNumber += 1
            state.entries[number] = Entry(address: address, close: close, isExempt: isExempt)
            ConnectionTable.forEachGroup(of: state.entries[number]!, in: &state) {
                $0.count += 1
                $0.strangers.append(number)
            }
            return (number, victims)
        }
        for victim in victims { victim.close() }
        guard let number else { throw .full }
        return (number, victims.count)
    }

    /// Marks a connection as known: its peer has shown a known key or device.
    func setKnown(_ number: Int, isExempt: Bool = false) {
        state.withLock { state in
            guard var entry = state.entries[number], !entry.isKnown || (isExempt && !entry.isExempt) else {
                return
            }
            ConnectionTable.forEachGroup(of: entry, in: &state) { $0.strangers.remove(number) }
            if !entry.isKnown { state.strangerBodyBytes -= entry.bodyBytes }
            entry.isKnown = true
            if isExempt, !entry.isExempt {
                ConnectionTable.forEachKey(of: entry) { key in
                    ConnectionTable.change(key, in: &state) {
                        $0.count -= 1
                        $0.bodyBytes -= entry.bodyBytes
                    }
                }
                entry.isExempt = true
            }
            state.entries[number] = entry
        }
    }

    /// Notes that a request begins. Until it is answered, this connection is not closed for others.
    func beginRequest(_ number: Int) {
        state.withLock { state in
            guard let entry = state.entries[number], entry.isKnown else { return }
            ConnectionTable.forEachGroup(of: entry, in: &state) { $0.idle.remove(number) }
        }
    }

    /// Notes that the request is answered.
    func endRequest(_ number: Int) {
        state.withLock { state in
            guard var entry = state.entries[number] else { return }
            ConnectionTable.forEachGroup(of: entry, in: &state) {
                $0.bodyBytes -= entry.bodyBytes
                guard entry.isKnown else { return }
                $0.idle.remove(number)
                $0.idle.append(number)
            }
            if !entry.isKnown { state.strangerBodyBytes -= entry.bodyBytes }
            entry.bodyBytes = 0
            state.entries[number] = entry
        }
    }

    /// Counts received bytes of a body until the request is answered.
    ///
    /// - Throws: ``Refusal/bodies``, ``Refusal/bodiesOfAddress``.
    func addBody(_ bytes: Int, to number: Int) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            guard var entry = state.entries[number] else { return nil }
            guard state.all.bodyBytes + bytes <= limits.bodyBytes,
                entry.isKnown || state.strangerBodyBytes + bytes <= limits.bodyBytesOfStrangers
            else { return .bodies }
            if !entry.isExempt, let address = entry.address,
                state.groups[.site(address.site)]!.bodyBytes + bytes > limits.bodyBytesOfAddress
            {
                return .bodiesOfAddress
            }
            ConnectionTable.forEachGroup(of: entry, in: &state) { $0.bodyBytes += bytes }
            if !entry.isKnown { state.strangerBodyBytes += bytes }
            entry.bodyBytes += bytes
            state.entries[number] = entry
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Removes a closed connection.
    func remove(_ number: Int) { state.withLock { _ = ConnectionTable.take(number, from: &$0) } }

    /// Ends every connection.
    func closeAll() {
        let entries = state.withLock { Array($0.entries.values) }
        for entry in entries { entry.close() }
    }

    /// Removes the connections that must close for a new one; returns `nil` if none can close.
    private static func makeRoom(
        for address: IPAddress?, _ limits: ConnectionLimits, _ state: inout State
    ) -> [Entry]? {
        var victims: [Entry] = []
        func displace(_ number: Int?) -> Bool {
            guard let number else { return false }
            victims.append(take(number, from: &state)!)
            return true
        }
        if let address {
            for (key, share) in [
                (GroupKey.site(address.site), ConnectionLimits.siteShare),
                (.network(address.network), ConnectionLimits.networkShare),
            ] {
                guard let group = state.groups[key] else { continue }
                let isOverShare =
                    state.entries.count > limits.total / 2 && group.count >= max(2, limits.total / share)
                let hasStrangersOverShare =
                    state.all.strangers.count > limits.strangers / 2
                    && group.strangers.count >= max(2, limits.strangers / share)
                guard isOverShare || hasStrangersOverShare else { continue }
                guard displace(group.strangers.oldest ?? group.idle.oldest) else { return nil }
                // The new connection takes the place of one other.
                break
            }
        }
        if state.all.strangers.count >= limits.strangers { _ = displace(state.all.strangers.oldest) }
        if state.entries.count >= limits.total {
            guard displace(state.all.strangers.oldest ?? state.all.idle.oldest) else { return nil }
        }
        return victims
    }

    private static func take(_ number: Int, from state: inout State) -> Entry? {
        guard let entry = state.entries.removeValue(forKey: number) else { return nil }
        forEachGroup(of: entry, in: &state) {
            $0.count -= 1
            $0.strangers.remove(number)
            $0.idle.remove(number)
            $0.bodyBytes -= entry.bodyBytes
        }
        if !entry.isKnown { state.strangerBodyBytes -= entry.bodyBytes }
        return entry
    }

    private static func forEachGroup(
        of entry: Entry, in state: inout State, _ body: (inout Group) -> Void
    ) {
        body(&state.all)
        guard !entry.isExempt else { return }
        forEachKey(of: entry) { change($0, in: &state, body) }
    }

    private static func forEachKey(of entry: Entry, _ body: (GroupKey) -> Void) {
        guard let address = entry.address else { return }
        body(.site(address.site))
        body(.network(address.network))
    }

    private static func change(_ key: GroupKey, in state: inout State, _ body: (inout Group) -> Void) {
        func isEmptyAfterBody(_ group: inout Group) -> Bool {
            body(&group)
            return group.count == 0
        }
        if isEmptyAfterBody(&state.groups[key, default: Group()]) { state.groups[key] = nil }
    }
}
