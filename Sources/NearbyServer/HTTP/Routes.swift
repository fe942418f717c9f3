import FoundationEssentials
import Hummingbird
import NIOCore
import Nearby
import NearbyService
import NearbyWire
import ServiceLifecycle

/// The protocol of `NearbyWire`, over a ``NearbyService``.
struct Routes: Sendable {
    /// Bytes.
    static let largestBody = 2 << 20

    let service: NearbyService
    let metrics: Metrics
    let log: LimitedLog
    let delays: RefusalDelays
    let proxies: TrustedProxies
    /// Other instances; nil when there can be none.
    let peers: Peers?

    var router: Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: Clients(proxies: proxies, peers: peers))
        router.add(
            middleware: Refusals(metrics: metrics, log: RefusalLog(log), delays: delays))
        if let peers {
            router.add(middleware: Forwarding(peers: peers, service: service, metrics: metrics))
        }
        router.post("v1/devices") { try await register($0, $1) }
        router.post("v1/report") { try await report($0, $1) }
        router.get("v1/events") { try await events($0, $1) }
        router.post("v1/beacons:getforobserved") { try await beacons($0, $1) }
        return router
    }

    /// The method that each path takes.
    static let methods = [
        "/v1/devices": "POST", "/v1/report": "POST", "/v1/events": "GET",
        "/v1/beacons:getforobserved": "POST",
    ]

    private func register(_ request: Request, _ context: ServerContext) async throws -> Response {
        let registration = try await service.register(key: request.bearer, address: context.address)
        context.connection?.setKnown()
        return Response(.created, json: registration)
    }

    private func report(_ request: Request, _ context: ServerContext) async throws -> Response {
        let start = ContinuousClock.now
        let device = try await service.device(request.bearer, address: context.address)
        context.connection?.setKnown()
        let body = try await request.wholeBody(context)
        let answer = try await device.report(json: Data(body.readableBytesView))
        metrics.note(report: start.duration(to: .now))
        return Response(.ok, json: answer)
    }

    private func beacons(_ request: Request, _ context: ServerContext) async throws -> Response {
        let asker = try await service.beaconAsker(key: request.bearer, address: context.address)
        context.connection?.setKnown()
        let body = try await request.wholeBody(context)
        let query = try await asker.question(json: Data(body.readableBytesView))
        let answer = try await asker.answer(query)
        metrics.note(query, answer)
        return Response(.ok, json: answer)
    }

    private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
        let device = try await service.device(request.bearer, address: context.address)
        context.connection?.setKnown()
        let news = try await device.news()
        return Response(
            status: .ok,
            headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: .init { writer in
                do {
                    try await withGracefulShutdownHandler {
                        try await EventWriter.write(news, to: &writer)
                    } onGracefulShutdown: {
                        news.end()
                    }
                } catch {
                    await news.hangUp()
                    throw error
                }
                await news.hangUp()
                try await writer.finish(nil)
            })
    }
}
