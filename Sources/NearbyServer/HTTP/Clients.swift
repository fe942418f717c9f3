import HTTPTypes
import Hummingbird
import NearbyService

/// A middleware that determines the client of a request: the peer of the connection, or the address that a
/// trusted proxy or another instance names.
struct Clients: RouterMiddleware {
    let proxies: TrustedProxies
    let peers: Peers?

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let peers, peers.isPeer(request) {
            (context.isForwarded, context.isDirect) = (true, false)
            context.address = request.headers[Peers.addressHeader] ?? context.address
            context.connection?.setKnown(isExempt: true)
        } else if let peer = context.connection?.peer ?? IPAddress(context.address) {
            context.isDirect = !proxies.contains(peer)
            if !context.isDirect {
                let client = proxies.client(
                    forwardedFor: request.headers[values: .xForwardedFor], peer: peer)
                if client != peer { context.address = client.description }
            }
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
}
