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
    private final class Entry {
        let close: @Sendable () -> Void
        /// The groups of its site and its network. They are `nil` if their shares do not count it: the peer
        /// has no address, is another instance or a trusted proxy.
        var site: SharedGroup?
        var network: SharedGroup?
        var isKnown = false
        /// True while a request is being answered.
        var isBusy = false
        var bodyBytes = 0

        init(site: SharedGroup?, network: SharedGroup?, close: @escaping @Sendable () -> Void) {
            (self.site, self.network, self.close) = (site, network, close)
        }
    }

    /// The connections of one site or one network, or all.
    private struct Group {
        var count = 0
        var strangers = AgeQueue()
        /// The known connections by the end of their last request. Those that got another one leave the queue
        /// only when they would be closed: to take each out as its request begins costs more.
        var idle = AgeQueue()
        var bodyBytes = 0
    }

    /// A group to which its connections refer, so that a request need not look for it.
    private final class SharedGroup {
        /// The key in the table; `nil` for all connections.
        let key: GroupKey?
        var group = Group()

        init(_ key: GroupKey?) { self.key = key }
    }

    private enum GroupKey: Hashable {
        case site(IPAddress)
        case network(IPAddress)
    }

    private struct State {
        var entries: [Int: Entry] = [:]
        let all = SharedGroup(nil)
        /// The groups that have a connection.
        var groups: [GroupKey: SharedGroup] = [:]
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
                connections: $0.entries.count, strangers: $0.all.group.strangers.count,
                displaced: $0.displaced, refused: $0.refused)
        }
    }

    /// True if the table keeps nothing about any connection.
    var isEmpty: Bool {
        state.withLock {
            let all = $0.all.group
            return $0.entries.isEmpty && $0.groups.isEmpty && $0.strangerBodyBytes == 0
                && all.bodyBytes == 0 && all.count == 0 && all.strangers.count == 0 && all.idle.count == 0
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
        let (number, victims) = state.withLock { state -> (Int?, [@Sendable () -> Void]) in
            let address = isExempt ? nil : address
            guard let victims = ConnectionTable.makeRoom(for: address, limits, &state) else {
                state.refused += 1
                return (nil, [])
            }
            state.displaced += victims.count
            let number = state.nextNumber
            state.nextNumber += 1
            let entry = Entry(
                site: address.map { ConnectionTable.group(.site($0.site), in: &state) },
                network: address.map { ConnectionTable.group(.network($0.network), in: &state) },
                close: close)
            ConnectionTable.forEachGroup(of: entry, in: state) {
                $0.count += 1
                $0.strangers.append(number)
            }
            state.entries[number] = entry
            return (number, victims)
        }
        for close in victims { close() }
        guard let number else { throw .full }
        return (number, victims.count)
    }

    /// Marks a connection as known: its peer has shown a known key or device.
    func setKnown(_ number: Int, isExempt: Bool = false) {
        state.withLock { state in
            guard let entry = state.entries[number] else { return }
            if !entry.isKnown {
                ConnectionTable.forEachGroup(of: entry, in: state) { $0.strangers.remove(number) }
                state.strangerBodyBytes -= entry.bodyBytes
                entry.isKnown = true
            }
            if isExempt {
                for group in [entry.site, entry.network] {
                    ConnectionTable.remove(number, entry, from: group, in: &state)
                }
                (entry.site, entry.network) = (nil, nil)
            }
        }
    }

    /// Notes that a request begins. Until it is answered, this connection is not closed for others.
    func beginRequest(_ number: Int) { state.withLock { $0.entries[number]?.isBusy = true } }

    /// Notes that the request is answered.
    func endRequest(_ number: Int) {
        state.withLock { state in
            guard let entry = state.entries[number] else { return }
            ConnectionTable.forEachGroup(of: entry, in: state) {
                $0.bodyBytes -= entry.bodyBytes
                if entry.isKnown { $0.idle.renew(number) }
            }
            if !entry.isKnown { state.strangerBodyBytes -= entry.bodyBytes }
            (entry.isBusy, entry.bodyBytes) = (false, 0)
        }
    }

    /// Counts received bytes of a body until the request is answered.
    ///
    /// - Throws: ``Refusal/bodies``, ``Refusal/bodiesOfAddress``.
    func addBody(_ bytes: Int, to number: Int) throws(Refusal) {
        let refusal = state.withLock { state -> Refusal? in
            guard let entry = state.entries[number] else { return nil }
            guard state.all.group.bodyBytes + bytes <= limits.bodyBytes,
                entry.isKnown || state.strangerBodyBytes + bytes <= limits.bodyBytesOfStrangers
            else { return .bodies }
            if let site = entry.site, site.group.bodyBytes + bytes > limits.bodyBytesOfAddress {
                return .bodiesOfAddress
            }
            ConnectionTable.forEachGroup(of: entry, in: state) { $0.bodyBytes += bytes }
            if !entry.isKnown { state.strangerBodyBytes += bytes }
            entry.bodyBytes += bytes
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Removes a closed connection.
    func remove(_ number: Int) { state.withLock { _ = ConnectionTable.take(number, from: &$0) } }

    /// Ends every connection.
    func closeAll() {
        let closes = state.withLock { $0.entries.values.map(\.close) }
        for close in closes { close() }
    }

    /// Removes the connections that must close for a new one, and returns what closes them; `nil` if none can
    /// close.
    private static func makeRoom(
        for address: IPAddress?, _ limits: ConnectionLimits, _ state: inout State
    ) -> [@Sendable () -> Void]? {
        var victims: [@Sendable () -> Void] = []
        func displace(_ number: Int?) -> Bool {
            guard let number else { return false }
            victims.append(take(number, from: &state)!.close)
            return true
        }
        if let address {
            for (key, share) in [
                (GroupKey.site(address.site), ConnectionLimits.siteShare),
                (.network(address.network), ConnectionLimits.networkShare),
            ] {
                guard let shared = state.groups[key] else { continue }
                let isOverShare =
                    state.entries.count > limits.total / 2
                    && shared.group.count >= max(2, limits.total / share)
                let hasStrangersOverShare =
                    state.all.group.strangers.count > limits.strangers / 2
                    && shared.group.strangers.count >= max(2, limits.strangers / share)
                guard isOverShare || hasStrangersOverShare else { continue }
                guard displace(shared.group.strangers.oldest ?? oldestIdle(of: shared, in: state)) else {
                    return nil
                }
                // The new connection takes the place of one other.
                break
            }
        }
        let all = state.all
        if all.group.strangers.count >= limits.strangers { _ = displace(all.group.strangers.oldest) }
        if state.entries.count >= limits.total {
            guard displace(all.group.strangers.oldest ?? oldestIdle(of: all, in: state)) else { return nil }
        }
        return victims
    }

    /// Returns the known connection that has been idle for longest; `nil` if all are busy.
    private static func oldestIdle(of shared: SharedGroup, in state: State) -> Int? {
        while let number = shared.group.idle.oldest {
            guard state.entries[number]!.isBusy else { return number }
            shared.group.idle.remove(number)
        }
        return nil
    }

    private static func take(_ number: Int, from state: inout State) -> Entry? {
        guard let entry = state.entries.removeValue(forKey: number) else { return nil }
        for group in [state.all, entry.site, entry.network] { remove(number, entry, from: group, in: &state) }
        if !entry.isKnown { state.strangerBodyBytes -= entry.bodyBytes }
        return entry
    }

    // MARK: Groups

    private static func forEachGroup(of entry: Entry, in state: State, _ body: (inout Group) -> Void) {
        body(&state.all.group)
        if let site = entry.site { body(&site.group) }
        if let network = entry.network { body(&network.group) }
    }

    /// Returns the group of a key. It makes one if there is none.
    private static func group(_ key: GroupKey, in state: inout State) -> SharedGroup {
        if let shared = state.groups[key] { return shared }
        let new = SharedGroup(key)
        state.groups[key] = new
        return new
    }

    private static func remove(
        _ number: Int, _ entry: Entry, from shared: SharedGroup?, in state: inout State
    ) {
        guard let shared else { return }
        shared.group.count -= 1
        shared.group.strangers.remove(number)
        shared.group.idle.remove(number)
        shared.group.bodyBytes -= entry.bodyBytes
        if shared.group.count == 0, let key = shared.key { state.groups[key] = nil }
    }
}
