import CommandOutput
import Glibc
import NIOCore
import NIOExtras
import NIOPosix
import Nearby
import NearbyServer
import NearbyWire

/// A Unix socket at which programs of this user begin and end operations of one engine.
///
///     program ─ a line, a request ─▶ EngineConnection ─▶ NearbyEngine
///             ◀─ a line, an event ──────────┘
struct EngineSocket {
    /// The most programs at a time.
    private static let mostConnections = 64
    /// The lines that wait for a program that does not read; with more it is disconnected.
    private static let mostWaitingLines = 10_000

    private typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    private let socket: LocalSocket
    private let engine: NearbyEngine
    private let strategy: Strategy

    /// Throws: 73 or 77 if there can be no socket at the path.
    init(_ path: String, _ engine: NearbyEngine, strategy: Strategy) throws(CommandFailure) {
        do throws(AdministrationProblem) { socket = try LocalSocket(path, option: "--socket") } catch {
            throw EngineSocket.failure(error)
        }
        (self.engine, self.strategy) = (engine, strategy)
    }

    private static func failure(_ problem: AdministrationProblem) -> CommandFailure {
        CommandFailure(problem.isOfPermission ? .noPermission : .cannotCreate, "\(problem)")
    }

    /// Serves programs until the task is cancelled. `isListening` is called once they can connect.
    func run(isListening: @Sendable () -> Void) async throws {
        defer { socket.clean() }
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(unixDomainSocketPath: socket.temporaryPath) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        ByteToMessageHandler(
                            LineBasedFrameDecoder(), maximumBufferSize: EngineRequest.mostLineBytes))
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        do throws(AdministrationProblem) { try socket.publish() } catch {
            throw EngineSocket.failure(error)
        }
        let inode = socket.inode()
        defer { socket.remove(inode: inode) }
        isListening()
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                let places = ConnectionPlaces(EngineSocket.mostConnections)
                for try await connection in connections {
                    let hasPlace = places.take()
                    group.addTask {
                        if hasPlace {
                            await serve(connection)
                            places.give()
                        } else {
                            await EngineSocket.refuse(connection)
                        }
                    }
                }
            }
        }
    }

    /// Serves one program until it goes. An error of its connection ends that connection alone.
    private func serve(_ connection: Connection) async {
        let (lines, waiting) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(EngineSocket.mostWaitingLines))
        let operations = EngineConnection(engine, strategy: strategy) { line in
            // A program that reads too slowly is disconnected: it must not believe what is old.
            if case .dropped = waiting.yield(line) { waiting.finish() }
        }
        waiting.yield(EngineReply.hello)
        do {
            try await connection.executeThenClose { requests, replies in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await line in requests {
                            await operations.take(Array(line.readableBytesView))
                        }
                    }
                    group.addTask {
                        for await line in lines { try await replies.write(ByteBuffer(string: line + "\n")) }
                    }
                    try await group.next()
                    group.cancelAll()
                }
            }
        } catch is NIOExtrasErrors.LeftOverBytesError {
            // The program went in the middle of a line, of which nothing can be made.
        } catch let error where !(error is CancellationError) {
            StandardError.write("a program's connection ended: \(EngineSocket.words(error))")
        } catch {}
        waiting.finish()
        await operations.endAll()
    }

    private static func words(_ error: any Error) -> String {
        switch error {
        case is ByteToMessageDecoderError.PayloadTooLargeError:
            "expected lines of at most \(EngineRequest.mostLineBytes) bytes, came a longer one"
        case let error as IOError: error.localizedReason
        default: "it was closed"
        }
    }

    private static func refuse(_ connection: Connection) async {
        let line = EngineReply.refused(
            nil, "at most \(mostConnections) programs at a time: close another connection")
        do {
            try await connection.executeThenClose { _, replies in
                try await replies.write(ByteBuffer(string: line + "\n"))
            }
        } catch {
            StandardError.write("a program's connection ended: \(EngineSocket.words(error))")
        }
    }
}

extension IOError {
    fileprivate var localizedReason: String { String(cString: strerror(errnoCode)) }
}
