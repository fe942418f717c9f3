import Nearby

/// A queue from an app's calls, which return at once, to the engine. The engine carries out one command after
/// the other, in order.
final class EngineLink: Sendable {
    typealias Begin = @Sendable (NearbyEngine) async throws -> OperationHandle

    private enum Command: Sendable {
        case begin(UInt64, OperationReport, Begin)
        case end(UInt64)
        case tell(@Sendable (NearbyEngine) async -> Void)
    }

    private let commands: AsyncStream<Command>.Continuation
    private let lastNumber = Locked<UInt64>(0)

    init(_ engine: NearbyEngine) {
        let (stream, continuation) = AsyncStream.makeStream(of: Command.self)
        commands = continuation
        Task.detached { await EngineLink.carryOut(stream, engine) }
    }

    /// Begins an operation, and returns the number that ends it.
    func begin(_ report: OperationReport, _ begin: @escaping Begin) -> UInt64 {
        let number = nextNumber()
        commands.yield(.begin(number, report, begin))
        return number
    }

    func nextNumber() -> UInt64 {
        lastNumber.withLock { number in
            number += 1
            return number
        }
    }

    func end(_ number: UInt64) { commands.yield(.end(number)) }

    func tell(_ command: @escaping @Sendable (NearbyEngine) async -> Void) { commands.yield(.tell(command)) }

    /// Ends every operation and the engine.
    func close() { commands.finish() }

    private static func carryOut(_ commands: AsyncStream<Command>, _ engine: NearbyEngine) async {
        var live: [UInt64: (handle: OperationHandle, report: OperationReport)] = [:]
        for await command in commands {
            switch command {
            case .begin(let number, let report, let begin):
                do { live[number] = (try await begin(engine), report) } catch {
                    report.become(.inactive, because: "\(error)")
                }
            case .end(let number): await live.removeValue(forKey: number)?.handle.end()
            case .tell(let command): await command(engine)
            }
        }
        await engine.end()
        for (_, report) in live.values { report.become(.inactive, because: "its message manager is no more") }
    }
}
