import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Returns an application for the people who run the server, beside that of its clients. It has a table of
/// few connections, which clients must not take from it, and which all fit into the descriptors that clients
/// leave.
///
/// - Parameter onServerRunning: called with the channel that listens.
func operatorApplication<Context: RequestContext>(
    _ router: Router<Context>, at address: BindAddress, logger: Logger,
    onServerRunning: @escaping @Sendable (any Channel) async -> Void
) -> some ApplicationProtocol where Context.Source == ApplicationRequestContextSource {
    let table = ConnectionTable(ConnectionLimits(total: 16))
    let log = LimitedLog(logger)
    var quiet = logger
    quiet.logLevel = max(.warning, logger.logLevel)
    return Application(
        router: router,
        server: HTTPServerBuilder {
            GuardedChannel(responder: $0, table: table, log: log, delays: nil, tls: nil)
        },
        configuration: .init(address: address, serverName: NearbyServer.name),
        onServerRunning: onServerRunning,
        logger: quiet)
}
