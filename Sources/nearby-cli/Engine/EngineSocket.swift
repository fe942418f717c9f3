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
    init(_ path: String, _ engine: NearbyEngine, strategy: Strategy) throws(AdministrationProblem) {
        socket = try LocalSocket(path, option: "--socket")
        (self.engine, self.strategy) = (engine, strategy)
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
        try socket.publish()
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
        } catch {
            EngineSocket.note(error)
        }
        waiting.finish()
        await operations.endAll()
    }

    /// Reports an error that ended a connection, unless the engine or the program ended it, in the middle of
    /// a line or not.
    private static func note(_ error: any Error) {
        let words: String
        switch error {
        case is CancellationError, is NIOExtrasErrors.LeftOverBytesError: return
        case is ByteToMessageDecoderError.PayloadTooLargeError:
            words = "expected lines of at most \(EngineRequest.mostLineBytes) bytes, came a longer one"
        case let error as IOError: words = String(cString: strerror(error.errnoCode))
        default: words = "it was closed"
        }
        StandardError.write("a program's connection ended: \(words)")
    }

    private static func refuse(_ connection: Connection) async {
        let line = EngineReply.refused(
            nil, "at most \(mostConnections) programs at a time: close another connection")
        do {
            try await connection.executeThenClose { _, replies in
                try await replies.write(ByteBuffer(string: line + "\n"))
            }
        } catch {
            EngineSocket.note(error)
        }
    }
}
