import Hummingbird
import Logging
import NearbyService
import ServiceLifecycle

/// Does for a service what no request asks for: it looks for keys that were revoked, and ends the service in good order.
struct ServiceMaintenance: Service, CustomStringConvertible {
    let description = "ServiceMaintenance"
    let service: NearbyService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for round in 1... {
                guard (try? await Task.sleep(for: .seconds(5))) != nil else { return }
                if round % 3 == 0 { await service.pulse() }
                await service.checkClock()
                do {
                    try await service.checkKeys()
                } catch {
                    logger.warning("keys are not checked", metadata: ["error": "\(error)"])
                }
            }
        }
        try await service.shutDown()
    }
}
