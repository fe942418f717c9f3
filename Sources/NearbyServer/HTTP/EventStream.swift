import NIOCore
import NearbyService
import Synchronization

/// One stream of events, between the service, which does not wait for it, and the connection, which takes one
/// part at a time.
final class EventStream: EventReader {
    /// A part that the connection sends. It then calls ``goOn()``, or ends the answer at the end.
    enum Part: Sendable {
        case events(StreamEvents)
        case end

        var isEnd: Bool { if case .end = self { true } else { false } }
    }

    private struct State {
        var text: EventText
        var events: DeviceEventStream?
        /// The number in the ``Drain``.
        var number: Int?
        var hasBegun = false
        /// True until the connection has sent what it was given; it begins with the head of the answer.
        var isBusy = true
        /// True if the service was here meanwhile. It has not yet been here at the beginning.
        var mustAsk = true
        var isOver = false
    }

    private let connection: Connection?
    /// True if the connection ends at the client, which is probed while the stream is open.
    private let isDirect: Bool
    private let drain: Drain
    private let give: @Sendable (Part) -> Void
    private let state: Mutex<State>

    /// - Parameter give: Gives the connection a part. It does not wait.
    init(
        _ text: EventText, over connection: Connection?, isDirect: Bool, drain: Drain,
        give: @escaping @Sendable (Part) -> Void
    ) {
        (self.connection, self.isDirect, self.drain, self.give) = (connection, isDirect, drain, give)
        state = Mutex(State(text: text))
    }

    /// Carries the stream of a device from now on.
    func carry(_ events: DeviceEventStream) {
        let number = drain.add { [self] in
            connection?.closeAfterAnswer()
            end()
        }
        let isOver = state.withLock { state in
            state.text.setGreeting(events.greeting)
            (state.events, state.number) = (events, number)
            return state.isOver
        }
        if isOver { leave(events, number) }
        if number == nil { end() }
        // The connection may be closed already, and would not let go of the stream, which holds it.
        connection?.openStream { [weak self] in self?.end() }
    }

    // MARK: For the service

    func eventPosition(in mailbox: String) -> EventPosition? {
        state.withLock { state in
            guard !state.isOver else { return nil }
            guard !state.isBusy else {
                state.mustAsk = true
                return nil
            }
            state.isBusy = true
            return state.text.place(in: mailbox)
        }
    }

    func take(_ events: StreamEvents) { give(.events(events)) }

    func end() {
        let last = state.withLock { state -> State? in
            defer { state.isOver = true }
            return state.isOver ? nil : state
        }
        guard let last else { return }
        if last.hasBegun { give(.end) }
        if let events = last.events { leave(events, last.number) }
    }

    /// Tells all who know this stream that it is over.
    private func leave(_ events: DeviceEventStream, _ number: Int?) {
        number.map(drain.remove)
        Task { [connection] in await events.close(isDead: connection?.isDead ?? false) }
    }

    // MARK: For the connection

    /// Notes that the head of the answer, or the last part, is sent.
    func goOn() {
        enum Next {
            case ask(DeviceEventStream)
            case end
            case wait
        }
        let next: Next = state.withLock { state in
            defer { state.hasBegun = true }
            guard !state.isOver else { return state.hasBegun ? .wait : .end }
            state.isBusy = false
            guard state.mustAsk, let events = state.events else { return .wait }
            state.mustAsk = false
            return .ask(events)
        }
        switch next {
        case .wait: break
        case .end: give(.end)
        case .ask(let events): Task { await events.ask() }
        }
    }

    /// Has the kernel watch the client as closely as these events want it. If their text would only show that
    /// this end is there, returns the connection: the text is left out if the client owes an answer to a
    /// probe (``Connection/answersProbes()``).
    func watch(for events: StreamEvents) -> Connection? {
        guard isDirect, let connection else { return nil }
        if case .events(_, let hearsAny) = events { connection.setProbes(hearsAny ? .close : .distant) }
        return state.withLock { $0.text.isPulse(events) } ? connection : nil
    }

    /// Returns the text of events that it was given.
    func text(of events: StreamEvents) -> ByteBuffer { state.withLock { $0.text.next(events) } }
}
