import Beacons
import Nearby

/// Where a project's owner keeps beacons, over a store. Whoever has the store is the owner: there is no key to this, as keys are in
/// apps, and what is in an app is public.
public struct BeaconAdministration: Sendable {
    /// How often one begins anew when others change the same beacon.
    private static let attempts = 20

    /// Whose beacons these are.
    public let project: ProjectID
    let store: any ServiceStore
    let limits: BeaconLimits

    /// - Parameter limits: hold for what is written from here; what there is already stays.
    public init(_ project: ProjectID, store: any ServiceStore, limits: BeaconLimits = BeaconLimits()) {
        (self.project, self.store, self.limits) = (project, store, limits)
    }

    /// Throws: ``StoreError`` `.exists`, ``BeaconProblem``.
    public func register(_ beacon: RegisteredBeacon) async throws {
        try await check([beacon])
        try await store.write([], [beacon], of: project, limits: limits)
    }

    /// Throws: ``BeaconProblem`` `.missing`: also when it is another project's.
    public func beacon(_ name: BeaconName) async throws -> RegisteredBeacon {
        guard let found = try await store.beacons(named: [name]).first, found.project == project else {
            throw BeaconProblem.missing(
                "there is no beacon \(name.text) in this project: 'nearby beacons' lists those that there are"
            )
        }
        return found
    }

    /// As ``beacon(_:)``, and by what one that changes its names calls itself now.
    public func beacon(_ name: BeaconName, unixSeconds: Int64) async throws -> RegisteredBeacon {
        guard name.id.kind == .ephemeral else { return try await beacon(name) }
        var resolver = try await BeaconResolver(of: project, in: store, unixSeconds: unixSeconds)
        guard let found = resolver.resolve(EphemeralIdentifier(name.id), unixSeconds: unixSeconds) else {
            throw BeaconProblem.missing(
                "no beacon of this project calls itself \(name.text) now: it may have another name by now")
        }
        return try await beacon(found.name)
    }

    /// By name, a page at a time.
    public func forEachBeacon(_ body: (RegisteredBeacon) throws -> Void) async throws {
        var last: BeaconName?
        while true {
            let page = try await store.beacons(of: project, after: last, areEphemeral: false, count: 500)
            for beacon in page { try body(beacon) }
            guard let next = page.last?.name else { return }
            last = next
        }
    }

    /// Returns it as it is then. Two who change one at once both do.
    @discardableResult
    public func change(
        _ name: BeaconName, _ body: (inout RegisteredBeacon) throws -> Void
    ) async throws -> RegisteredBeacon {
        var attempts = 0
        while true {
            attempts += 1
            var beacon = try await beacon(name)
            try body(&beacon)
            try await check([beacon])
            do throws(StoreError) {
                try await store.write([], [beacon], of: project, limits: limits)
                return beacon
            } catch {
                guard case .changed = error, attempts < BeaconAdministration.attempts else { throw error }
            }
        }
    }

    // MARK: Namespaces

    /// The project's own, by name. Throws: ``StoreError``.
    public func namespaces() async throws -> [BeaconNamespace] {
        try await store.namespaces(of: project)
    }

    /// A new one, or one's own shown to others or to nobody. Throws: ``StoreError`` `.exists`: it is another project's.
    public func claim(_ name: String, isPublic: Bool) async throws {
        guard let namespace = BeaconNamespace(name, of: project, isPublic: isPublic) else {
            throw BeaconProblem("a namespace is \(BeaconNamespace.rule), not '\(name)'")
        }
        try await store.write([namespace], [], of: project, limits: limits)
    }

    /// Namespaces change hands never, so that what holds now will hold when it is written.
    func check(_ beacons: [RegisteredBeacon], alongWith new: [BeaconNamespace] = []) async throws {
        let names = Set(beacons.flatMap(\.attachments).map(\.type.namespace)).subtracting(new.map(\.name))
        guard !names.isEmpty else { return }
        let own = Set(try await namespaces().map(\.name))
        if let other = names.subtracting(own).min() {
            throw BeaconProblem(
                "the namespace '\(other)' is not this project's: claim it first, 'nearby beacons namespace \(other)'"
            )
        }
    }

    // MARK: Changing names

    /// The key that beacons agree with this server on theirs; made when it is asked for first.
    public func resolverKey() async throws -> EphemeralKeyAgreement {
        let bytes = try await store.resolverKey(orElse: EphemeralKeyAgreement().privateKey)
        guard let key = EphemeralKeyAgreement(privateKey: bytes) else {
            throw StoreError.failed("the resolver's key has \(bytes.count) bytes instead of 32")
        }
        return key
    }
}
