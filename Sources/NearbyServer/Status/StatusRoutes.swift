import Hummingbird
import NIOCore
import NearbyService

/// `/healthz` and `/metrics`, for those who watch the server. On a listener of their own: they are no business of clients.
struct StatusRoutes: Sendable {
    let service: NearbyService
    let metrics: Metrics
    let table: ConnectionTable

    var router: Router<BasicRequestContext> {
        let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
        let health = Health(service: service)
        router.get("healthz") { _, _ in
            let isHealthy = await health.isGood()
            return Response(
                isHealthy ? .ok : .serviceUnavailable, json: ["store": isHealthy ? "ok" : "silent"])
        }
        router.get("metrics") { _, _ in
            let text = metrics.text(await service.sizes(), table.counts)
            return Response(
                status: .ok, headers: [.contentType: "text/plain; version=0.0.4"],
                body: .init(byteBuffer: ByteBuffer(string: text)))
        }
        return router
    }
}

/// Whether the store answers, asked at most once a second.
private actor Health {
    private let service: NearbyService
    private var last: (start: ContinuousClock.Instant, answer: Task<Bool, Never>)?

    init(service: NearbyService) { self.service = service }

    func isGood() async -> Bool {
        if let last, last.start.duration(to: .now) < .seconds(1) { return await last.answer.value }
        let answer = Task { [service] in await service.isHealthy() }
        last = (.now, answer)
        return await answer.value
    }
}
