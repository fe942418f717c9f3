import Hummingbird
import Nearby
import NearbyService
import NearbyWire

/// A middleware that answers errors with a status and one line, and delays answers to clients that are
/// refused often.
struct Refusals: RouterMiddleware {
    /// The number of refusals after which a stranger's connection closes.
    private static let mostOnConnection = 8

    let metrics: Metrics
    let log: RefusalLog
    let delays: RefusalDelays
    let retries: RetryTimes

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response = try await answer(request, context, next)
        // The instance that forwarded the request does this.
        if !context.isForwarded { retries.vary(&response) }
        metrics.note(status: response.status.code)
        if !context.isForwarded, isCharged(response.status, context) {
            try await hold(request, response.status, context)
        }
        return response
    }

    private func answer(
        _ request: Request, _ context: ServerContext,
        _ next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if let fault = context.connection?.fault { return Response(fault) }
        do {
            return try await next(request, context)
        } catch let refusal as ServiceRefusal {
            log.note(
                refusal, path: request.uri.path,
                who: request.bearer.flatMap { Secret(.device, $0) ?? Secret.anyKey($0) })
            return Response(refusal)
        } catch let failure as BodyFailure {
            return Response(failure)
        } catch let error as HTTPError where error.status == .notFound {
            return Response(nothingFor: request, methods: Routes.methods)
        } catch let error as HTTPError {
            return Response(error.status, json: WireRefusal(error.body ?? error.status.reasonPhrase))
        }
    }

    /// Returns true if an address is charged for this answer. Known devices that ask too often wait anyway,
    /// as `Retry-After` says.
    private func isCharged(_ status: HTTPResponse.Status, _ context: ServerContext) -> Bool {
        switch status.code {
        case 429: context.connection?.isKnown != true
        case 409: false
        case 400..<500: true
        default: false
        }
    }

    /// Delays an answer without holding a thread.
    private func hold(
        _ request: Request, _ status: HTTPResponse.Status, _ context: ServerContext
    ) async throws {
        if let connection = context.connection, !connection.isKnown,
            connection.countRefusal() >= Refusals.mostOnConnection
        {
            connection.closeAfterAnswer()
        }
        // A body that was read and found wrong cost more time.
        let bytes = status == .badRequest ? request.headers[.contentLength].flatMap { Double($0) } ?? 0 : 0
        let cost = 1 + min(bytes, Double(Routes.largestBody)) / 16_384
        let delay = delays.delay(ofRefusal: cost, to: IPAddress(context.address))
        if delay > .zero { try await Task.sleep(for: delay) }
    }
}
