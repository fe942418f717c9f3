import ArgumentParser
import Nearby

/// The options for a search for beacons instead of devices.
struct BeaconScanOptions: ParsableArguments {
    /// A kind of beacon, with its name in `nearby beacons`.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case eddystone, eid, ibeacon, altbeacon

        var kind: AdvertisedID.Kind {
            switch self {
            case .eddystone: .eddystone
            case .eid: .ephemeral
            case .ibeacon: .iBeacon
            case .altbeacon: .altBeacon
            }
        }

        /// The kinds whose identifiers are useful without a server.
        static let named: [Kind] = [.eddystone, .ibeacon]
    }

    @Flag(
        help: "Find Bluetooth beacons instead of devices: their attachments, or without an API key their ids."
    )
    var beacons = false

    @Option(
        help: ArgumentHelp(
            "With --beacons: find only beacons of this kind; may be repeated.", valueName: "kind"))
    var beaconType: [Kind] = []

    func validate() throws {
        guard beacons || beaconType.isEmpty else { throw ValidationError("--beacon-type needs --beacons") }
    }

    /// Checks that the other options suit a search for beacons. Throws: 64 if one does not.
    func validate(
        with options: ClientOptions, hasKey: Bool, type: [String], namespace: String
    ) throws(ValidationError) {
        guard beacons else { return }
        func refuse(_ isWrong: Bool, _ words: String) throws(ValidationError) {
            if isWrong { throw ValidationError(words) }
        }
        try refuse(
            options.registry.offline != nil,
            "give either --beacons or --offline: attachments of beacons need a server")
        try refuse(options.onlyBroadcast, "--only-broadcast cannot find beacons, because it does not scan")
        try refuse(options.mutual, "--mutual is for devices: beacons do not listen")
        try refuse(options.medium == .both, "beacons are found only by Bluetooth; leave --medium both out")
        guard !hasKey else { return }
        try refuse(
            options.registry.server != nil || options.registry.trust != nil,
            "--server needs --key-file: without one, beacons' ids are printed")
        try refuse(
            !type.isEmpty || !namespace.isEmpty,
            "--type and --namespace need --key-file: ids of beacons have neither; use --beacon-type")
        try refuse(
            beaconType.contains { !Kind.named.contains($0) },
            "--beacon-type eid and altbeacon need --key-file: without a server only ids of eddystone and ibeacon are of use"
        )
    }

    /// - Parameter hasKey: `true` if a server is asked for the attachments of the beacons.
    func subscription(to filter: MessageFilter, hasKey: Bool) -> Subscription {
        let kinds = beaconType.isEmpty ? (hasKey ? Kind.allCases : Kind.named) : beaconType
        return Subscription(
            hasKey ? filter : .rawBeacons, strategy: Strategy(media: [.ble], mode: .scan),
            looksForDevices: false,
            beacons: BeaconStrategy(kinds: Set(kinds.map(\.kind)), isLowPowerPreferred: false))
    }
}
