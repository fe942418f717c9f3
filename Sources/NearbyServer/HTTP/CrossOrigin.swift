import HTTPTypes
import Hummingbird
import NearbyService

/// Lets scripts of some web pages talk to the server (WHATWG Fetch, "CORS protocol"). Every answer says so, refusals too: else a
/// page is told of none of them.
///
/// Keys and secrets stand in a header that a browser adds by itself to no request, so that no page acts for another one.
struct CrossOrigin: RouterMiddleware {
    /// Seconds for which browsers remember it.
    private static let maximumAge = 7200
    private static let methods = "GET, POST"
    private static let requestHeaders = "Authorization, Content-Type, Last-Event-ID"
    private static let answerHeaders = "Retry-After, WWW-Authenticate"

    let origins: AllowedOrigins
    /// Of pages that have a key of their own.
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
        response.headers.append(HTTPField(name: .vary, value: "Origin"))
        guard let allowed else { return response }
        response.headers[.accessControlAllowOrigin] = allowed
        if isPreflight {
            response.headers[.accessControlAllowMethods] = CrossOrigin.methods
            response.headers[.accessControlAllowHeaders] = CrossOrigin.requestHeaders
            response.headers[.accessControlMaxAge] = "\(CrossOrigin.maximumAge)"
        } else {
            response.headers[.accessControlExposeHeaders] = CrossOrigin.answerHeaders
        }
        return response
    }

    /// The value of `Access-Control-Allow-Origin` for a page; nil: it may not.
    private func answer(to origin: String) -> String? {
        origins.answer(to: origin) ?? (webOrigins.contains(origin.lowercased()) ? origin : nil)
    }
}
