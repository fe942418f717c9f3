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

    /// Changes the program and the socket. Throws the reason why the socket cannot be made; then the program
    /// stays as it was.
    func change(to new: ServiceConfiguration.Deliver) async throws(MessageSocketError) {
        if new.socket != configuration.socket || new.socketBufferKiB != configuration.socketBufferKiB {
            if new.socket == configuration.socket {
                // The socket has the same name with another buffer size: its readers have to connect again.
                await socket?.close()
                socket = nil
            }
            let next = try Deliveries.socket(new, log)
            await socket?.close()
            socket = next
        }
        configuration = new
        await programs.change(to: new.program)
    }

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
            configuration.socket, bufferByteCount: configuration.socketBufferKiB << 10, log: log)
    }
}

extension ServiceConfiguration.Deliver {
    fileprivate var program: ProgramQueue.Settings {
        ProgramQueue.Settings(
            command: onMessage, timeLimit: .seconds(timeLimitSeconds), atOnce: atOnce, limit: queue)
    }
}
