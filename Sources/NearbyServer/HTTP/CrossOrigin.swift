import HTTPTypes
import Hummingbird

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

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let allowed = request.headers[.origin].flatMap(origins.answer)
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
}
