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

    init(_ routes: Routes, log: Logger) { (self.routes, self.log) = (routes, log) }

    func takes(_ head: HTTPRequest) -> Bool {
        switch head.path {
        case Routes.reportPath: head.method == .post
        case Routes.eventsPath: head.method == .get
        default: false
        }
    }

    func response(
        to head: HTTPRequest, _ body: ByteBuffer, on connection: Connection, _ channel: any Channel
    ) async -> Response {
        let request = Request(head: head, body: .init(buffer: body))
        let context = ServerContext(
            source: ApplicationRequestContextSource(channel: channel, logger: log), on: connection)
        var response: Response
        do {
            response = try await routes.pass(request, context) { request, context in
                try await head.method == .post
                    ? routes.report(request, context) : routes.events(request, context)
            }
        } catch {
            log.error("a request was not answered", metadata: ["error": "\(error)"])
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = date.now
        response.headers[.server] = NearbyServer.name
        return response
    }
}
