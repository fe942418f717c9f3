import HTTPTypes
import Hummingbird
import NearbyService

/// A middleware that lets scripts of some web pages talk to the server (WHATWG Fetch, "CORS protocol"). Every
/// answer carries the headers, refusals too: a page could not read a refusal without them.
///
/// Keys and secrets stand in a header that a browser never adds by itself, so no page can act for another
/// one.
struct CrossOrigin: RouterMiddleware {
    /// The seconds for which browsers remember the answer to a preflight request.
    private static let maximumAge = 7200
    private static let methods = "GET, POST"
    private static let requestHeaders = "Authorization, Content-Type, Idempotency-Key, Last-Event-ID"
    private static let answerHeaders = "Retry-After, WWW-Authenticate"

    let origins: AllowedOrigins
    /// The origins of pages that have a key of their own.
    let webOrigins: WebOrigins

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if origins.isEmpty, webOrigins.isEmpty { return try await next(request, context) }
        let allowed = request.headers[.origin].flatMap(answer)
        let isPreflight =
            request.method == .options && request.headers[.accessControlRequestMethod] != nil
            && allowed != nil && Routes.methods[request.uri.path] != nil && context.connection?.fault == nil
        var response = isPreflight ? Response(status: .noContent) : try await next(request, context)
        addHeaders(to: &response, allowing: allowed, isPreflight)
        return response
    }

    // Inlined, its variables would take memory for every request while that is answered.
    @inline(never)
    private func addHeaders(to response: inout Response, allowing allowed: String?, _ isPreflight: Bool) {
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        guard let allowed else { return }
        response.headers[.accessControlAllowOrigin] = allowed
        if isPreflight {
            response.headers[.accessControlAllowMethods] = CrossOrigin.methods
            response.headers[.accessControlAllowHeaders] = CrossOrigin.requestHeaders
            response.headers[.accessControlMaxAge] = "\(CrossOrigin.maximumAge)"
        } else {
            response.headers[.accessControlExposeHeaders] = CrossOrigin.answerHeaders
        }
    }

    /// Returns the value of `Access-Control-Allow-Origin` for a page; `nil` if the page may not talk to the
    /// server.
    private func answer(to origin: String) -> String? {
        origins.answer(to: origin) ?? (webOrigins.contains(origin.lowercased()) ? origin : nil)
    }
}
