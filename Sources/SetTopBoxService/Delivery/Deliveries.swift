import SetTopBox

/// The receivers of messages: a program, a socket, both or neither.
actor Deliveries {
    private let log: ServiceLog
    private let programs: ProgramQueue
    private var socket: MessageSocket?
    private var configuration: ServiceConfiguration.Deliver

    /// Throws the reason why the socket cannot be made.
    init(_ configuration: ServiceConfiguration.Deliver, log: ServiceLog) throws(MessageSocketError) {
        (self.configuration, self.log) = (configuration, log)
        programs = ProgramQueue(configuration.program, log: log)
        socket = try Deliveries.socket(configuration, log)
    }

    /// A change that can no longer fail: its new socket, if it needs one, is open.
    struct Change: Sendable {
        fileprivate let configuration: ServiceConfiguration.Deliver
        fileprivate let newSocket: MessageSocket?
    }

    /// Opens the socket that a new configuration needs. Throws the reason why that fails. The old program and
    /// socket go on until ``commit(_:)``.
    func prepare(_ new: ServiceConfiguration.Deliver) throws(MessageSocketError) -> Change {
        Change(
            configuration: new,
            newSocket: new.socket == configuration.socket ? nil : try Deliveries.socket(new, log))
    }

    /// Changes the program and the socket. If only the buffer's size changes, the readers stay connected.
    func commit(_ change: Change) async {
        if change.configuration.socket != configuration.socket {
            await socket?.close()
            socket = change.newSocket
        } else {
            socket?.setBuffer(byteCount: change.configuration.socketBufferByteCount)
        }
        configuration = change.configuration
        await programs.change(to: configuration.program)
    }

    /// Closes the socket that was opened for a change.
    func abandon(_ change: Change) async { await change.newSocket?.close() }

    func deliver(_ message: BoxMessage) async {
        let line = message.json
        socket?.send(line)
        await programs.handle(line)
    }

    func end() async {
        await programs.end()
        await socket?.close()
        socket = nil
    }

    var counts: (programs: ProgramQueue.Counts, readers: Int, dropped: Int) {
        get async { (await programs.counts, socket?.readerCount ?? 0, socket?.droppedCount ?? 0) }
    }

    private static func socket(
        _ configuration: ServiceConfiguration.Deliver, _ log: ServiceLog
    ) throws(MessageSocketError) -> MessageSocket? {
        guard !configuration.socket.isEmpty else { return nil }
        return try MessageSocket(
            configuration.socket, bufferByteCount: configuration.socketBufferByteCount, log: log)
    }
}

extension ServiceConfiguration.Deliver {
    fileprivate var socketBufferByteCount: Int { socketBufferKiB << 10 }
    fileprivate var program: ProgramQueue.Settings {
        ProgramQueue.Settings(
            command: onMessage, timeLimit: .seconds(timeLimitSeconds), atOnce: atOnce, limit: queue)
    }
}
