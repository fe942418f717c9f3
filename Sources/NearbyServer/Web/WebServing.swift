import HTTPTypes
import Hummingbird
import NearbyService

/// A middleware that answers with the files of a web page, beside the API.
struct WebServing: RouterMiddleware {
    private static let methods = ["GET", "HEAD"]

    /// The headers of every answer. Only scripts from this server run, and no inline script: content of a
    /// message stays text. Compiling WebAssembly is the only evaluation allowed. The page itself may use the
    /// microphone, its frames may not; nothing else of a device is requested.
    private static let headers: HTTPFields = [
        .contentSecurityPolicy:
            "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; style-src 'self'; "
            + "img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        .permissionsPolicy:
            "microphone=(self), accelerometer=(), bluetooth=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), "
            + "magnetometer=(), midi=(), payment=(), serial=(), usb=()",
        .xContentTypeOptions: "nosniff",
        .referrerPolicy: "no-referrer",
        .crossOriginOpenerPolicy: "same-origin",
        // Browsers keep the file and ask for it again each time. If it is unchanged, the answer has no body.
        .cacheControl: "no-cache",
    ]

    let pages: WebPages
    let service: NearbyService

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        // A route of the API takes precedence.
        guard Routes.methods[path] == nil, context.connection?.fault == nil, let file = pages.file(at: path)
        else { return try await next(request, context) }
        guard request.method == .get || request.method == .head else {
            return Response(nothingFor: request, methods: [path: WebServing.methods])
        }
        let (coding, representation) = file.representation(for: request.headers[values: .acceptEncoding])
        var headers = WebServing.headers
        headers[.eTag] = representation.tag
        if file.isPacked { headers[.vary] = "Accept-Encoding" }
        let isKnown = EntityTags.contain(representation.tag, in: request.headers[values: .ifNoneMatch])
        let isSent = request.method == .get && !isKnown
        try await service.visit(
            bytes: isSent ? representation.body.readableBytes : 0, address: context.address)
        if isKnown { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = file.type
        headers[.contentLength] = "\(representation.body.readableBytes)"
        if coding != .identity { headers[.contentEncoding] = coding.rawValue }
        return Response(
            status: .ok, headers: headers,
            body: isSent ? .init(byteBuffer: representation.body) : .init())
    }
}

extension HTTPField.Name {
    fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    fileprivate static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
