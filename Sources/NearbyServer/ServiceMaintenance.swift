import Hummingbird
import Logging
import NearbyService
import ServiceLifecycle

/// The periodic work of a service that no request triggers: it checks for revoked keys, and ends the service
/// in an orderly way.
struct ServiceMaintenance: Service, CustomStringConvertible {
    let description = "ServiceMaintenance"
    let service: NearbyService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for round in 1... {
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                await service.pulse()
                guard round % 5 == 0 else { continue }
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
