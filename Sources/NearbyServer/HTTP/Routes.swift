import FoundationEssentials
import Hummingbird
import NIOCore
import Nearby
import NearbyService
import NearbyWire
import ServiceLifecycle

/// The protocol of `NearbyWire`, over a ``NearbyService``.
struct Routes: Sendable {
    static let largestBody = 8 << 20

    let service: NearbyService
    let metrics: Metrics
    let refusals: RefusalLog
    /// Nil when there can be no other instance.
    let peers: Peers?

    var router: Router<ServerContext> {
        let router = Router(context: ServerContext.self)
        router.add(middleware: Errors(metrics: metrics, refusals: refusals))
        if let peers {
            router.add(middleware: Forwarding(peers: peers, service: service, metrics: metrics))
        }
        router.post("v1/devices") { try await register($0, $1) }
        router.post("v1/report") { try await report($0, $1) }
        router.get("v1/events") { try await events($0, $1) }
        router.post("v1/beacons:getforobserved") { try await beacons($0, $1) }
        router.get("healthz") { _, _ in
            let isHealthy = await service.isHealthy()
            return Response(
                isHealthy ? .ok : .serviceUnavailable, json: ["store": isHealthy ? "ok" : "silent"])
        }
        router.get("metrics") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: metrics.text(await service.sizes()))))
        }
        return router
    }

    private static let methods = [
        "/v1/devices": "POST", "/v1/report": "POST", "/v1/events": "GET",
        "/v1/beacons:getforobserved": "POST", "/healthz": "GET", "/metrics": "GET",
    ]

    /// There is nothing here, or it is asked for in another way (RFC 9110 §15.5.6).
    static func none(at path: String) -> Response {
        guard let method = methods[path] else {
            return Response(.notFound, json: WireRefusal("there is nothing at this path"))
        }
        var response = Response(.methodNotAllowed, json: WireRefusal("\(path) takes \(method) alone"))
        response.headers[.allow] = method
        return response
    }

    private func register(_ request: Request, _ context: ServerContext) async throws -> Response {
        Response(
            .created, json: try await service.register(key: request.bearer, address: context.address))
    }

    private func report(_ request: Request, _ context: ServerContext) async throws -> Response {
        let start = ContinuousClock.now
        let device = try await service.device(request.bearer, address: context.address)
        let body = try await request.body.collect(upTo: Routes.largestBody)
        let answer = try await device.report(json: Data(body.readableBytesView))
        metrics.note(report: start.duration(to: .now))
        return Response(.ok, json: answer)
    }

    private func beacons(_ request: Request, _ context: ServerContext) async throws -> Response {
        let asker = try await service.beaconAsker(key: request.bearer, address: context.address)
        let body = try await request.body.collect(upTo: Routes.largestBody)
        let query = try Routes.value(WireBeaconQuery.self, of: body)
        let answer = try await asker.answer(query)
        metrics.note(query, answer)
        return Response(.ok, json: answer)
    }

    private static func value<Value: Decodable>(
        _ type: Value.Type, of body: ByteBuffer
    ) throws(ServiceRefusal) -> Value {
        do throws(WireError) {
            return try WireCoding.decode(type, from: Data(body.readableBytesView))
        } catch {
            throw .malformed("\(error)")
        }
    }

    private func events(_ request: Request, _ context: ServerContext) async throws -> Response {
        let device = try await service.device(request.bearer, address: context.address)
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

/// What goes wrong, as a status and one line.
private struct Errors: RouterMiddleware {
    let metrics: Metrics
    let refusals: RefusalLog

    func handle(
        _ request: Request, context: ServerContext,
        next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let refusal as ServiceRefusal {
            refusals.note(
                refusal, path: request.uri.path,
                who: request.bearer.flatMap { Secret(.device, $0) ?? Secret(.key, $0) })
            response = Response(refusal)
        } catch let error as HTTPError where error.status == .notFound {
            response = Routes.none(at: request.uri.path)
        } catch let error as HTTPError {
            response = Response(error.status, json: WireRefusal(error.body ?? error.status.reasonPhrase))
        } catch is NIOTooManyBytesError {
            response = Response(
                .contentTooLarge, json: WireRefusal("a body has at most \(Routes.largestBody) bytes"))
        }
        metrics.note(status: response.status.code)
        return response
    }
}
