import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Nearby
import NearbyService
import NearbyWire

/// The routes of the protocol of `NearbyWire` over a ``NearbyService``, and the middlewares before them.
final class Routes: Sendable {
    /// The largest body in bytes.
    static let largestBody = 2 << 20
    /// The largest body of a registration, which holds a label, in bytes.
    static let largestRegistration = 16_384

    private let service: NearbyService
    private let metrics: Metrics
    private let drain: Drain
    private let ownOrigin: OwnOrigin
    private let pages: WebPages?
    private let crossOrigin: CrossOrigin
    private let clients: Clients
    private let refusals: Refusals
    private let forwarding: Forwarding?

    /// - Parameters:
    ///   - peers: The other instances; `nil` if there can be none.
    ///   - origins: The pages that may talk to the server from a browser.
    ///   - ownOrigin: The rule that tells this server's own page from others.
    ///   - pages: The web page beside the API; `nil` if there is none.
    init(
        service: NearbyService, metrics: Metrics, log: LimitedLog, delays: RefusalDelays,
        retries: RetryTimes, drain: Drain, proxies: TrustedProxies, peers: Peers?, origins: AllowedOrigins,
        ownOrigin: OwnOrigin, pages: WebPages?
    ) {
        (self.service, self.metrics, self.drain) = (service, metrics, drain)
        (self.ownOrigin, self.pages) = (ownOrigin, pages)
        crossOrigin = CrossOrigin(origins: origins, webOrigins: service.webOrigins)
        clients = Clients(proxies: proxies, peers: peers)
        refusals = Refusals(metrics: metrics, log: RefusalLog(log), delays: delays, retries: retries)
        forwarding = peers.map { Forwarding(peers: $0, service: service, metrics: metrics) }
    }

    var router: Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: crossOrigin)
        router.add(middleware: clients)
        router.add(middleware: refusals)
        if let pages { router.add(middleware: WebServing(pages: pages, service: service)) }
        if let forwarding { router.add(middleware: forwarding) }
        router.post("v1/devices") { try await self.register($0, $1) }
        router.post("v1/report") { try await self.report($0, $1) }
        router.get("v1/events") { try await self.events($0, $1) }
        router.head("v1/events") { try await self.events($0, $1) }
        router.post("v1/beacons:getforobserved") { try await self.beacons($0, $1) }
        return router
    }

    /// Passes a request through the middlewares of the ``router`` to its route. No web page stands at the
    /// paths of the API.
    func pass(
        _ request: Request, _ context: ServerContext,
        to route: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        try await crossOrigin.handle(request, context: context) { request, context in
            try await clients.handle(request, context: context) { request, context in
                try await refusals.handle(request, context: context) { request, context in
                    guard let forwarding else { return try await route(request, context) }
                    return try await forwarding.handle(request, context: context, next: route)
                }
            }
        }
    }

    static let registration = "/v1/devices"
    static let reportPath = "/v1/report"
    static let eventsPath = "/v1/events"
    /// The methods that each path takes, beside OPTIONS.
    static let methods = [
        registration: ["POST"], reportPath: ["POST"], eventsPath: ["GET", "HEAD"],
        "/v1/beacons:getforobserved": ["POST"],
    ]

    private func register(_ request: Request, _ context: ServerContext) async throws -> Response {
        let origin = ownOrigin.origin(of: request, context)
        var body = WireRegistrationRequest()
        if request.hasBody {
            try await service.checkRegistration(
                key: request.bearer, origin: origin, address: context.address)
            let bytes = try await request.wholeBody(context, upTo: Routes.largestRegistration)
            if bytes.readableBytes > 0 {
                do throws(WireError) {
                    body = try WireCoding.decode(
                        WireRegistrationRequest.self, from: Data(bytes.readableBytesView))
                } catch { throw ServiceRefusal.malformed("\(error)") }
            }
        }
        let registration = try await service.register(
            key: request.bearer, name: request.idempotencyName, body, origin: origin,
            address: context.address)
        context.connection?.setKnown()
        return Response(.created, json: registration)
    }

    /// Returns the device that sends the request.
    private func device(
        _ request: Request, _ context: ServerContext
    ) async throws(ServiceRefusal) -> NearbyService.Device {
        let device: NearbyService.Device
        if let (credential, client) = context.connection?.requester(request.bearer, at: context.address) {
            device = try await service.device(credential, client: client)
        } else {
            device = try await service.device(request.bearer, address: context.address)
        }
        context.connection?.setKnown()
        return device
    }

    func report(_ request: Request, _ context: ServerContext) async throws -> Response {
        let start = ContinuousClock.now
        let device = try await device(request, context)
        let body = try await request.wholeBody(context)
        let answer = try await device.report(json: Array(buffer: body))
        metrics.note(report: start.duration(to: .now))
        return Response(answer)
    }

    private func beacons(_ request: Request, _ context: ServerContext) async throws -> Response {
        let requester = try await service.beaconRequester(
            key: request.bearer, origin: ownOrigin.origin(of: request, context), address: context.address)
        context.connection?.setKnown()
        let body = try await request.wholeBody(context)
        let query = try await requester.question(json: Data(body.readableBytesView))
        let answer = try await requester.answer(query)
        metrics.note(query, answer)
        return Response(.ok, json: answer)
    }

    /// Answers with a stream of events, which the task of the request writes.
    private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (parts, giver) = AsyncStream.makeStream(of: EventStream.Part.self)
        let give = { @Sendable (part: EventStream.Part) in _ = giver.yield(part) }
        return try await events(request, context, give: give) { stream in
            .init { writer in
                defer { stream.end() }
                stream.goOn()
                for await case .events(let events) in parts.prefix(while: { !$0.isEnd }) {
                    let isAnswered = await stream.watch(for: events)?.onLoop { $0.answersProbes() }
                    if isAnswered ?? true { try await writer.write(stream.text(of: events)) }
                    stream.goOn()
                }
                try await writer.finish(nil)
            }
        }
    }

    /// Opens a device's stream of events.
    ///
    /// - Parameters:
    ///   - give: Gives the connection the parts of the stream. It does not wait.
    ///   - body: Returns the body of the answer.
    func events(
        _ request: Request, _ context: ServerContext, give: @escaping @Sendable (EventStream.Part) -> Void,
        body: (EventStream) -> ResponseBody
    ) async throws -> Response {
        let device = try await device(request, context)
        let headers: HTTPFields = [
            .contentType: "text/event-stream", .cacheControl: "no-store",
            // Without this header nginx keeps events back until there are many.
            .accelBuffering: "no",
        ]
        // A HEAD request does not end the stream that is open.
        if request.method == .head {
            try await device.checkEvents()
            return Response(status: .ok, headers: headers, body: .init { try await $0.finish(nil) })
        }
        guard !drain.isOn else {
            context.connection?.closeAfterAnswer()
            let isLive = await device.isLive
            return Response(endingFor: isLive ? FleetSize.soon : service.secondsToReturn)
        }
        let advice = StreamAdvice { [service] in service.secondsToReturn }
        let stream = EventStream(
            EventText(after: request.headers[.lastEventID], advice), over: context.connection,
            isDirect: context.isDirect, drain: drain, give: give)
        stream.carry(try await device.events(isDirect: context.isDirect, to: stream))
        return Response(status: .ok, headers: headers, body: body(stream))
    }
}

extension HTTPField.Name {
    static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}
