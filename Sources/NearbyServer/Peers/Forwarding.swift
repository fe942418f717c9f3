import Hummingbird
import NIOCore
import NearbyService

/// A middleware that forwards requests to the instance that serves their project, so that clients may talk to
/// any instance. A request is forwarded once: an instance that gets it from another one answers it or says
/// that it is in the wrong place.
struct Forwarding: RouterMiddleware {
    /// The time that another instance needs to take over from one that died.
    private static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(150)

    let peers: Peers
    let service: NearbyService
    let metrics: Metrics

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch ServiceRefusal.elsewhere(let project, let address) where !context.isForwarded {
            return try await forward(request, context, project, address, next)
        }
    }

    private func forward(
        _ request: Request, _ context: ServerContext, _ project: ProjectID, _ first: String,
        _ next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let end = ContinuousClock.now + Forwarding.patience
        var request = request
        let isRegistration = Forwarding.isRegistration(request)
        let body =
            isRegistration && !request.hasBody
            ? ByteBuffer()
            : try await request.wholeBody(
                context, upTo: isRegistration ? Routes.largestRegistration : Routes.largestBody)
        request.body = .init(buffer: body)
        var address = first
        while true {
            do {
                let response = try await peers.forward(request, body, to: address, from: context.address)
                if response.status != .misdirectedRequest {
                    metrics.noteForwarded()
                    if response.status.kind == .successful { context.connection?.setKnown() }
                    return response
                }
            } catch {
                try Task.checkCancellation()
                // A repeated report says no more than one, so it may be sent again. A second registration
                // without a name makes a second device.
                if Forwarding.isRegistration(request), request.idempotencyName == nil,
                    !Peers.neverArrived(error)
                {
                    throw ServiceRefusal.unavailable("the instance of project \(project) gives no answer")
                }
            }
            await service.forget(project)
            guard ContinuousClock.now < end else {
                throw ServiceRefusal.unavailable("the instance of project \(project) is silent")
            }
            try await Task.sleep(for: Forwarding.pause)
            do { return try await next(request, context) } catch ServiceRefusal.elsewhere(_, let again) {
                address = again
            }
        }
    }

    private static func isRegistration(_ request: Request) -> Bool { request.uri.path == Routes.registration }
}
