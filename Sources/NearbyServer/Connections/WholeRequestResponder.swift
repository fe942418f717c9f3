import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// The way of the most frequent requests to their routes: through the same middlewares as all others, but
/// without a router.
struct WholeRequestResponder: Sendable {
    let routes: Routes
    let log: Logger
    private let date = DateText()
    private static let server = HTTPField(name: .server, value: NearbyServer.name)

    init(_ routes: Routes, log: Logger) { (self.routes, self.log) = (routes, log) }

    func takes(_ head: HTTPRequest) -> Bool {
        switch head.path {
        case Routes.reportPath: head.method == .post
        case Routes.eventsPath: head.method == .get
        default: false
        }
    }

    /// Returns the answer to a request, and the stream of events that follows it, if there is one.
    ///
    /// - Parameter give: Gives the connection the parts of the stream.
    func response(
        to head: HTTPRequest, _ body: ByteBuffer, on connection: Connection, _ channel: any Channel,
        give: @escaping @Sendable (EventStream.Part) -> Void
    ) async -> (Response, EventStream?) {
        let request = Request(head: head, body: .init(buffer: body))
        var context = ServerContext(
            source: ApplicationRequestContextSource(channel: channel, logger: log), on: connection)
        context.body = body
        var response: Response
        var stream: EventStream?
        do {
            response = try await routes.pass(request, context) { request, context in
                if head.method == .post { return try await routes.report(request, context) }
                return try await routes.events(request, context, give: give) {
                    stream = $0
                    return ResponseBody { _ in }
                }
            }
        } catch {
            log.error("a request was not answered", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        // The routes set neither of them.
        response.headers.append(date.now)
        response.headers.append(WholeRequestResponder.server)
        return (response, stream)
    }
}
