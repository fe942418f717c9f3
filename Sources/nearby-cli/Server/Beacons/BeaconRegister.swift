import ArgumentParser
import Beacons
import CommandOutput
import FoundationEssentials
import Nearby
import NearbyService

/// The time of this machine's clock.
enum WallClock {
    static var unixSeconds: Int64 { Int64(Date().timeIntervalSince1970) }
}

extension Beacons {
    struct Register: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a beacon known.",
            discussion: """
                One that changes its names (Eddystone-EID) is registered as an Eddystone-UID that it does not send. Its key comes in \
                a file, 32 hexadecimal digits; or it is agreed on with the beacon: 'nearby beacons eidparams' prints the server's \
                public key for the beacon, and --beacon-key takes the beacon's.
                """)

        @OptionGroup var one: One

        @Option(help: ArgumentHelp("What it is.", valueName: "words"))
        var description = ""

        @Option(name: .customLong("place"), help: ArgumentHelp("Where it is.", valueName: "words"))
        var whereabouts = ""

        /// The stability of a beacon, with the values of ``RegisteredBeacon/Stability`` in lower case.
        enum Stability: String, ExpressibleByArgument, CaseIterable {
            case stable, portable, mobile, roving
        }

        @Option(help: "How likely it is to be where it was.")
        var stability: Stability?

        @Option(help: ArgumentHelp("Anything else; can be given again.", valueName: "name=value"))
        var property: [String] = []

        @Flag(help: "Known, but not to be found until it is activated.")
        var inactive = false

        @OptionGroup(title: "Changing names") var names: ChangingNames
        @OptionGroup var place: Place

        func validate() throws { _ = try properties }

        private var properties: [String: String] {
            get throws {
                var properties: [String: String] = [:]
                for text in property {
                    guard let sign = text.firstIndex(of: "="), sign > text.startIndex,
                        properties.updateValue(
                            String(text[text.index(after: sign)...]), forKey: String(text[..<sign])) == nil
                    else { throw ValidationError("--property \(text): name=value, each name once") }
                }
                return properties
            }
        }

        func run() async throws {
            let administration = try await place.administration()
            try await administration.register(
                RegisteredBeacon(
                    one.name, of: administration.project, status: inactive ? .inactive : .active,
                    stability: stability.flatMap {
                        RegisteredBeacon.Stability(rawValue: $0.rawValue.uppercased())
                    },
                    description: description, place: whereabouts,
                    properties: try properties, ephemeral: try await names.registration(administration)))
        }
    }

    struct ChangingNames: ParsableArguments {
        @Option(help: ArgumentHelp("The beacon's identity key.", valueName: "file"))
        var identityKey: String?

        @Option(help: ArgumentHelp("The beacon's public key, 64 hexadecimal digits.", valueName: "hex"))
        var beaconKey: String?

        @Option(help: ArgumentHelp("K, 0 to 15: it changes every 2^K seconds.", valueName: "number"))
        var rotationExponent: Int?

        @Option(help: ArgumentHelp("What the beacon's clock says now.", valueName: "seconds"))
        var clock: UInt32?

        @Option(
            help: ArgumentHelp("What it sends now, to be checked: 16 hexadecimal digits.", valueName: "hex"))
        var initialEid: String?

        func validate() throws {
            let isWanted = identityKey != nil || beaconKey != nil
            guard isWanted else {
                guard rotationExponent == nil, clock == nil, initialEid == nil else {
                    throw ValidationError("--identity-key or --beacon-key: whose names change?")
                }
                return
            }
            guard identityKey == nil || beaconKey == nil else {
                throw ValidationError("either --identity-key or --beacon-key")
            }
            guard let rotationExponent, clock != nil,
                EphemeralIdentity.rotationExponents.contains(rotationExponent)
            else { throw ValidationError("with a key go --rotation-exponent 0 to 15 and --clock") }
            if let beaconKey, Hex.bytes(beaconKey)?.count != EphemeralKeyAgreement.keyByteCount {
                throw ValidationError("--beacon-key has 64 hexadecimal digits")
            }
            if let initialEid, Hex.bytes(initialEid)?.count != 8 {
                throw ValidationError("--initial-eid has 16 hexadecimal digits")
            }
        }

        func registration(_ administration: BeaconAdministration) async throws -> EphemeralRegistration? {
            guard let clock, let identity = try await identity(administration) else { return nil }
            let registration = EphemeralRegistration(
                identity, clockSeconds: clock, registeredUnixSeconds: WallClock.unixSeconds)
            try registration.check(
                initialEid.flatMap { Hex.bytes($0) }.map { bytes in
                    EphemeralIdentifier(rawValue: bytes.bigEndianNumber)
                })
            return registration
        }

        private func identity(_ administration: BeaconAdministration) async throws -> EphemeralIdentity? {
            guard let rotationExponent else { return nil }
            if let identityKey {
                let digits = try SecretFile.read(identityKey).filter { !$0.isWhitespace }
                guard let key = Hex.bytes(digits),
                    let identity = EphemeralIdentity(key: key, rotationExponent: rotationExponent)
                else { throw CommandFailure(.badData, "\(identityKey): 32 hexadecimal digits are wanted") }
                return identity
            }
            guard let beaconKey = beaconKey.flatMap({ Hex.bytes($0) }) else { return nil }
            let key = try await administration.resolverKey()
            do throws(EphemeralKeyProblem) {
                return try key.identity(withBeacon: beaconKey, rotationExponent: rotationExponent)
            } catch {
                throw CommandFailure(.badData, "--beacon-key: \(error)")
            }
        }
    }

    struct KeyParameters: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "eidparams",
            abstract: "Print what a beacon of changing names needs to agree on a key with this server.")

        @Flag(help: "Print one JSON object.")
        var json = false

        @OptionGroup var place: Place

        func run() async throws {
            let key = Hex.text(try await place.administration().resolverKey().publicKey)
            let exponents = EphemeralIdentity.rotationExponents
            guard json else {
                for line in TextTable([
                    ["public key", key],
                    ["rotation exponent", "\(exponents.lowerBound) to \(exponents.upperBound)"],
                ]).lines { try StandardOutput.write(line) }
                return
            }
            var object = JSONObject()
            object.add("serviceEcdhPublicKey", key)
            object.add("minRotationPeriodExponent", exponents.lowerBound)
            object.add("maxRotationPeriodExponent", exponents.upperBound)
            try StandardOutput.write(object.description)
        }
    }
}
