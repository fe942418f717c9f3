import HTTPTypes
import Hummingbird
import NearbyService

/// Finds out for whom a request asks: for whoever made the connection, or for whom a trusted proxy or another instance says.
struct Clients: RouterMiddleware {
    let proxies: TrustedProxies
    let peers: Peers?

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        if let peers, peers.isPeer(request) {
            context.isForwarded = true
            context.address = request.headers[Peers.addressHeader] ?? context.address
            context.connection?.setKnown(isExempt: true)
        } else if let peer = IPAddress(context.address) {
            let client = proxies.client(
                forwardedFor: request.headers[values: .xForwardedFor], peer: peer)
            if client != peer { context.address = client.description }
        }
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
}
