import ArgumentParser
import CommandOutput
import Nearby
import NearbyServer
import NearbyService

struct Beacons: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacons", abstract: "Manage a project's Bluetooth beacons and their attachments.",
        discussion: """
            A beacon is written as \(BeaconName.forms). Apps ask the server, with the project's API key, for the \
            attachments of beacons near them; a change made here applies from their next request.

              nearby beacons namespace shop
              nearby beacons register ibeacon:2f234454-cf6d-4a0f-adf2-f4911ba9ffa6/1/2
              nearby beacons attach beacons/3!… shop/offer 'two for one'
            """,
        subcommands: [
            List.self, Show.self, Register.self, Activate.self, Deactivate.self, Decommission.self,
            Attach.self, Detach.self, Namespace.self, Import.self, Export.self, KeyParameters.self,
        ], defaultSubcommand: List.self)

    /// The options for the project and its store.
    struct Place: ParsableArguments {
        @OptionGroup var project: ProjectOptions
        @OptionGroup var store: StoreOptions

        func administration() async throws -> BeaconAdministration {
            let store = try await store.open()
            return BeaconAdministration(try await project.find(in: store).id, store: store)
        }
    }

    struct One: ParsableArguments {
        @Argument(
            help: ArgumentHelp("The beacon: \(BeaconName.forms).", valueName: "beacon"),
            transform: BeaconName.parsed)
        var name: BeaconName
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the beacons, one per line.")

        @Flag(help: "Print one JSON object per line.")
        var json = false

        @OptionGroup var place: Place

        func run() async throws {
            var table = TextTable()
            try await place.administration().forEachBeacon { beacon in
                if json {
                    try StandardOutput.write(beacon.json)
                } else {
                    table.rows.append([
                        beacon.name.text, beacon.status.rawValue.lowercased(),
                        "\(beacon.attachments.count)", beacon.place,
                    ])
                }
            }
            for line in table.lines { try StandardOutput.write(line) }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all details of a beacon.",
            discussion: "An Eddystone-EID beacon can also be named by its present identifier, eid:HEX.")

        @OptionGroup var one: One

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var place: Place

        func run() async throws {
            let administration = try await place.administration()
            let beacon = try await administration.beacon(one.name, unixSeconds: WallClock.unixSeconds)
            for line in json ? [beacon.json] : beacon.lines { try StandardOutput.write(line) }
        }
    }

    struct Namespace: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Claim a namespace for attachments; without a name, list the namespaces.",
            discussion: """
                A namespace belongs permanently to the first project that claims it. Only apps of that project see \
                the attachments in an unlisted namespace; apps of all projects see those in a public one.
                """)

        enum Visibility: String, EnumerableFlag {
            case unlisted, `public`

            static func help(for value: Visibility) -> ArgumentHelp? {
                value == .public
                    ? "Every project sees the attachments in it."
                    : "Only this project sees the attachments in it."
            }
        }

        @Argument(help: "Name of the namespace: \(BeaconNamespace.rule).")
        var name: String?

        @Flag var visibility = Visibility.unlisted

        @OptionGroup var place: Place

        func run() async throws {
            let administration = try await place.administration()
            if let name {
                try await administration.claim(name, isPublic: visibility == .public)
                return
            }
            let table = TextTable(
                try await administration.namespaces().map { [$0.name, $0.isPublic ? "public" : "unlisted"] })
            for line in table.lines { try StandardOutput.write(line) }
        }
    }
}

extension RegisteredBeacon {
    /// The beacon as JSON, without its key.
    fileprivate var json: String { BeaconDocument(self, withKey: false).line }

    fileprivate var lines: [String] {
        var rows = [
            ["beacon", name.text], ["name", name.description], ["status", status.rawValue.lowercased()],
        ]
        if let stability { rows.append(["stability", stability.rawValue.lowercased()]) }
        for (what, text) in [("description", description), ("place", place)] where !text.isEmpty {
            rows.append([what, text])
        }
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            rows.append(["property", "\(name)=\(value)"])
        }
        if let ephemeral {
            let exponent = ephemeral.identity.rotationExponent
            rows.append(["changes its name", "every \(1 << exponent) s (rotation exponent \(exponent))"])
        }
        for one in attachments {
            let limit = one.maximumDistanceMeters
            rows.append([
                "attachment",
                "\(one.type), \(one.content.count) bytes" + (limit > 0 ? ", up to \(limit) m" : ""),
            ])
        }
        return TextTable(rows).lines
    }
}

extension BeaconProblem: ExitStatusBearing {
    package var exitStatus: ExitStatus {
        switch self {
        case .wrong: .badData
        case .missing: .noInput
        }
    }
}
