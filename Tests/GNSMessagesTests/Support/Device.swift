import Foundation
import GNSMessages
import Nearby
import NearbyTestSupport

/// Devices on one medium, and the registries that match their tokens.
final class World: Sendable {
    let air = Air()
    let registries: GNSLocalRegistries

    init() { registries = GNSLocalRegistries(clock: air.clock.engineClock) }

    /// - Parameter media: the device's media and their conditions.
    func device(
        permission: Permission = .granted, media: [Medium: MediumCondition] = [.audio: .ready],
        changing change: (inout GNSEnvironment) -> Void = { _ in }
    ) -> Device {
        let device = Device(self, media)
        var environment = GNSEnvironment(store: device.store)
        environment.clock = air.clock.engineClock
        environment.makeRegistry = { [registries] in registries.device(apiKey: $0) }
        environment.makeMedia = { [weak device] _ in device?.makeMedia() ?? [] }
        environment.log = device.lines.logger
        change(&environment)
        device.environment = environment
        if permission != .undecided { device.run { GNSPermission.setGranted(permission == .granted) } }
        return device
    }
}

/// One device. An app on it acts within ``run(_:)``.
final class Device: Sendable {
    let store = GNSMemoryStore()
    let lines = LogLines()
    private let world: World
    private let media: [Medium: MediumCondition]
    private let drivers = Locked<[Medium: AirDriver]>([:])
    private let held = Locked<GNSEnvironment?>(nil)

    init(_ world: World, _ media: [Medium: MediumCondition]) { (self.world, self.media) = (world, media) }

    var environment: GNSEnvironment {
        get { held.withLock { $0! } }
        set { held.withLock { $0 = newValue } }
    }

    func run<Result>(_ body: () throws -> Result) rethrows -> Result { try environment.run(body) }

    func manager(_ apiKey: String = "key") -> GNSMessageManager { run { GNSMessageManager(apiKey: apiKey) } }

    /// Returns the driver of the manager that was made last.
    func driver(_ medium: Medium) -> AirDriver { drivers.withLock { $0[medium]! } }
    var audio: AirDriver { driver(.audio) }
    var ble: AirDriver { driver(.ble) }

    fileprivate func makeMedia() -> [any MediumDriver] {
        drivers.withLock { drivers in
            for (medium, condition) in media {
                drivers[medium] = world.air.driver(medium, condition: condition)
            }
            return Array(drivers.values)
        }
    }
}
