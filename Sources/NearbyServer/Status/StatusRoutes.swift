import Hummingbird
import NIOCore
import NearbyService

/// The routes `/healthz` and `/metrics` for monitoring. They have a listener of their own, because clients
/// have no business there.
struct StatusRoutes: Sendable {
    let service: NearbyService
    let metrics: Metrics
    let table: ConnectionTable
    let drain: Drain
    /// The certificate and key; `nil` without TLS.
    let tls: TLSContexts?

    var router: Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: Elsewhere())
        let health = Health(service: service)
        router.get("healthz") { _, _ in
            guard !drain.isOn else {
                return Response(
                    .serviceUnavailable, json: ["store": "leaving", "error": "this server is ending"])
            }
            guard let problem = await health.problem() else { return Response(.ok, json: ["store": "ok"]) }
            return Response(.serviceUnavailable, json: ["store": "failing", "error": problem])
        }
        router.get("metrics") { _, _ in
            let text = metrics.text(
                await service.sizes(), table.counts, service.admission.refused,
                handshakes: tls?.handshakeCount ?? 0, isDraining: drain.isOn)
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
        return router
    }
}

/// A middleware that answers requests for other paths and with other methods.
private struct Elsewhere: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            if let fault = Connection.current?.fault { return Response(fault) }
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            return Response(
                nothingFor: request, methods: ["/healthz": ["GET", "HEAD"], "/metrics": ["GET", "HEAD"]])
        }
    }
}
