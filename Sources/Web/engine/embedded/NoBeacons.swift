// A replacement for the engine's state about beacons: only BLE hears them, and a page has no BLE.

/// A state without any beacons.
struct BeaconState: Sendable {
    struct Claims: Sendable {
        func set(_ claim: Never?, for id: OperationID) -> Bool { false }
    }

    struct Memory: Sendable {
        func extend(by duration: Duration) {}
    }

    struct Inquiry: Sendable {
        var error: RegistryError? { nil }
    }

    var claims: Claims { Claims() }
    var table: Memory { Memory() }
    var answers: Memory { Memory() }
    var querySchedule: Inquiry { Inquiry() }
    var deadline: Instant? { nil }

    init(_ settings: EngineSettings, hasRegistry: Bool) {}
}

struct BeaconFind: Sendable {
    var lastSeen: Instant
}

extension EngineState {
    var beaconScan: BeaconScan? { nil }

    func note(_ sighting: BeaconSighting, now: Instant) {}
    func remakeBeaconClaim(of id: OperationID) {}
    func settleBeacons(now: Instant) {}
}
