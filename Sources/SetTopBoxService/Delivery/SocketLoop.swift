import Glibc

/// The readers of a ``MessageSocket``, on its thread.
///
/// The thread sends a line at once. It looks at everything that readers do by themselves (connect, write,
/// close) at most eight times a second, and does a bounded amount of work each time, so that readers cannot
/// keep the thread busy.
struct SocketLoop {
    /// The time between two looks at the readers' actions. `HostileReaderTests` checks the cost of these
    /// looks with hostile readers.
    private static let peerPause = Duration.milliseconds(125)
    /// The number of connections that a turn without a line accepts.
    private static let acceptedAtOnce = 8
    /// The number of connections that a turn with a line accepts: all that can wait in
    /// ``MessageSocket/backlog``.
    private static let acceptedBeforeLine = 24

    private let listener: Int32
    private let wake: Int32
    private let log: ServiceLog
    private var readers: [SocketReader] = []
    private var incidents = SocketIncidents()
    private var input = [UInt8](repeating: 0, count: 1 << 16)
    /// The time of the next look at the readers.
    private var nextPeerTurn = ContinuousClock.now
    /// The number of looks at the readers.
    private var peerTurns = 0
    /// The events that ``wait()`` found, by the readers' handles.
    private var found: [Int32: Int16] = [:]
    private(set) var droppedCount = 0
    var readerCount: Int { readers.count }

    init(listener: Int32, wake: Int32, log: ServiceLog) {
        (self.listener, self.wake, self.log) = (listener, wake, log)
    }

    /// Waits until there is something to do. Returns false if waiting is impossible.
    ///
    /// It clears the wake signal here, before the caller looks for work: work that arrives after that look
    /// wakes it again.
    mutating func wait() -> Bool {
        var polls = [pollfd(fd: wake, events: Int16(POLLIN), revents: 0)]
        found = [:]
        let pause = ContinuousClock.now.duration(to: nextPeerTurn)
        guard let count = SocketLoop.poll(&polls, pause > .zero ? pause : .zero) else { return false }
        if count == 0 {
            polls.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
            polls += readers.map { pollfd(fd: $0.handle, events: $0.events, revents: 0) }
            let now = ContinuousClock.now
            let limit = incidents.nextLine(now).map { max(.zero, now.duration(to: $0)) }
            guard SocketLoop.poll(&polls, limit) != nil else { return false }
            for entry in polls.dropFirst(2) where entry.revents != 0 { found[entry.fd] = entry.revents }
            if polls.dropFirst().contains(where: { $0.revents != 0 }) {
                nextPeerTurn = .now + SocketLoop.peerPause
                peerTurns += 1
            }
        }
        while read(wake, &input, input.count) > 0 {}
        return true
    }

    /// Returns the number of handles that are ready; `nil` if `poll` fails. If the limit is `nil`, it waits
    /// without a limit.
    private static func poll(_ polls: inout [pollfd], _ limit: Duration?) -> Int32? {
        let end = limit.map { ContinuousClock.now + $0 }
        while true {
            let left = end.map { max(.zero, ContinuousClock.now.duration(to: $0)) / .milliseconds(1) }
            // The time is rounded up; otherwise the loop would spin during the last part of a millisecond.
            let count = Glibc.poll(&polls, nfds_t(polls.count), left.map { Int32($0.rounded(.up)) } ?? -1)
            if count >= 0 { return count }
            guard errno == EINTR else { return nil }
        }
    }

    /// Does everything that can be done now, without waiting.
    ///
    /// - Parameters:
    ///   - greeting: the first line of a reader that connects now, unless it gets one of `lines`.
    ///   - bufferByteCount: the number of unread bytes a reader may have before it is disconnected.
    mutating func turn(_ lines: [[UInt8]], greeting: [UInt8] = [], bufferByteCount: Int) {
        let now = ContinuousClock.now
        removeGone()
        // A reader that connected before a line was sent receives the line.
        if lines.isEmpty {
            accept(atMost: SocketLoop.acceptedAtOnce, greeting: greeting)
        } else {
            accept(atMost: SocketLoop.acceptedBeforeLine, greeting: [])
        }
        for line in lines { for n in readers.indices { readers[n].rest += line } }
        flush(now, bufferByteCount)
        if let line = incidents.takeLine(now) { log.write(.warning, line) }
    }

    /// Removes the readers that have closed. If several readers have written, each turn discards some of the
    /// input of only one of them, one after the other. A reader may write, and 64 readers that do nothing
    /// else cost no more than one.
    private mutating func removeGone() {
        let writers = readers.indices.filter {
            found[readers[$0].handle].map { $0 & Int16(POLLIN) != 0 } ?? false
        }
        let heard = writers.isEmpty ? nil : writers[peerTurns % writers.count]
        for n in readers.indices.reversed() {
            guard let events = found[readers[n].handle] else { continue }
            var isGone = events & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            if !isGone, n == heard { isGone = !readers[n].discardInput(&input) }
            if isGone { remove(n) } else { readers[n].note(events) }
        }
        found = [:]
    }

    private mutating func accept(atMost count: Int, greeting: [UInt8]) {
        for _ in 0..<count {
            let handle = Glibc.accept(listener, nil, nil)
            guard handle >= 0 else {
                if errno == EINTR || errno == ECONNABORTED { continue }
                if errno != EAGAIN {
                    incidents.refused += 1
                    incidents.refusal = String(cString: strerror(errno))
                }
                return
            }
            _ = fcntl(handle, F_SETFD, FD_CLOEXEC)
            _ = fcntl(handle, F_SETFL, O_NONBLOCK)
            var newcomer = SocketReader(handle: handle)
            newcomer.rest += greeting
            if readers.count >= MessageSocket.readerLimit {
                remove(ReaderPlaces.leaver(of: readers.map(\.place), for: newcomer.owner))
                incidents.displaced += 1
            }
            readers.append(newcomer)
        }
    }

    private mutating func flush(_ now: ContinuousClock.Instant, _ bufferByteCount: Int) {
        for n in readers.indices.reversed() {
            if !readers[n].flush(at: now) {
                remove(n)
            } else if readers[n].rest.count > bufferByteCount {
                incidents.slow += 1
                droppedCount += 1
                remove(n)
            }
        }
    }

    private mutating func remove(_ n: Int) { Glibc.close(readers.remove(at: n).handle) }

    func close() {
        for handle in [listener, wake] + readers.map(\.handle) { Glibc.close(handle) }
    }
}

extension SocketReader {
    fileprivate var place: ReaderPlaces.Place {
        ReaderPlaces.Place(
            owner: owner, unreadSince: hasUnread ? unreadSince : nil, isServed: isServed)
    }
}
