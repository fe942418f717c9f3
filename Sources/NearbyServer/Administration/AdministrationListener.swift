import Hummingbird
import HummingbirdCore
import Logging
import ServiceLifecycle
import Synchronization

/// The listener for administrators, on a Unix socket that only the server's own user and root may open.
struct AdministrationListener: Service, CustomStringConvertible {
    let description = "AdministrationListener"
    private let socket: LocalSocket
    private let routes: AdministrationRoutes
    private let failure: Failure
    private let logger: Logger
    private let outcomes: AsyncStream<Bool>
    private let tell: AsyncStream<Bool>.Continuation

    /// - Parameter failure: takes the reason why the socket cannot be made, which ends the server.
    init(_ socket: LocalSocket, routes: AdministrationRoutes, failure: Failure, logger: Logger) {
        (self.socket, self.routes, self.failure, self.logger) = (socket, routes, failure, logger)
        (outcomes, tell) = AsyncStream.makeStream(of: Bool.self)
    }

    /// Waits until clients find the socket.
    ///
    /// - Throws: the error that also ends the server, or `CancellationError`.
    func waitUntilListening() async throws {
        guard await outcomes.first(where: { _ in true }) != true else { return }
        throw failure.error ?? CancellationError()
    }

    func run() async throws {
        let inode = Mutex<UInt64?>(nil)
        defer {
            socket.clean()
            socket.remove(inode: inode.withLock { $0 })
            tell.finish()
        }
        let application = operatorApplication(
            routes.router, at: .unixDomainSocket(path: socket.temporaryPath), logger: logger
        ) { _ in
            do throws(AdministrationProblem) {
                try socket.publish()
                inode.withLock { $0 = socket.inode() }
                socket.clean()
                tell.yield(true)
            } catch {
                failure.note(error)
                tell.yield(false)
            }
        }
        do { try await application.run() } catch {
            failure.note(error)
            tell.yield(false)
            throw error
        }
    }
}
