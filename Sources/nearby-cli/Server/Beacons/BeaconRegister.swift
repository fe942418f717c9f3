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
            abstract: "Register a beacon.",
            discussion: """
                A beacon that changes its identifier (Eddystone-EID) is registered as an Eddystone-UID that it does \
                not send. Its identity key is read from a file of 32 hexadecimal digits; or server and beacon agree \
                on it: 'nearby beacons eidparams' prints the server's public key for the beacon, and --beacon-key \
                takes the beacon's public key.
                """)

        @OptionGroup var one: One

        @Option(help: ArgumentHelp("Description of the beacon.", valueName: "words"))
        var description = ""

        @Option(name: .customLong("place"), help: ArgumentHelp("Place of the beacon.", valueName: "words"))
        var whereabouts = ""

        /// The stability of a beacon, with the values of ``RegisteredBeacon/Stability`` in lower case.
        enum Stability: String, ExpressibleByArgument, CaseIterable {
            case stable, portable, mobile, roving
        }

        @Option(help: "How likely the beacon is to stay in its place.")
        var stability: Stability?

        @Option(
            help: ArgumentHelp("Any other property of the beacon; may be repeated.", valueName: "name=value"))
        var property: [String] = []

        @Flag(help: "Hide the beacon from apps until it is activated.")
        var inactive = false

        @OptionGroup(title: "Eddystone-EID") var names: ChangingNames
        @OptionGroup var place: Place

        func validate() throws { _ = try properties }

        private var properties: [String: String] {
            get throws {
                var properties: [String: String] = [:]
                for text in property {
                    guard let sign = text.firstIndex(of: "="), sign > text.startIndex,
                        properties.updateValue(
                            String(text[text.index(after: sign)...]), forKey: String(text[..<sign])) == nil
                    else { throw ValidationError("--property \(text): expected name=value, each name once") }
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
        @Option(help: ArgumentHelp("File with the beacon's identity key.", valueName: "file"))
        var identityKey: String?

        @Option(help: ArgumentHelp("The beacon's public key, 64 hexadecimal digits.", valueName: "hex"))
        var beaconKey: String?

        @Option(
            help: ArgumentHelp("K, 0 to 15: the identifier changes every 2^K seconds.", valueName: "number"))
        var rotationExponent: Int?

        @Option(help: ArgumentHelp("Present time of the beacon's clock.", valueName: "seconds"))
        var clock: UInt32?

        @Option(
            help: ArgumentHelp(
                "Identifier that the beacon sends now, to verify the key: 16 hexadecimal digits.",
                valueName: "hex"))
        var initialEid: String?

        func validate() throws {
            let isWanted = identityKey != nil || beaconKey != nil
            guard isWanted else {
                guard rotationExponent == nil, clock == nil, initialEid == nil else {
                    throw ValidationError("options for Eddystone-EID need --identity-key or --beacon-key")
                }
                return
            }
            guard identityKey == nil || beaconKey == nil else {
                throw ValidationError("give either --identity-key or --beacon-key, not both")
            }
            guard let rotationExponent, clock != nil,
                EphemeralIdentity.rotationExponents.contains(rotationExponent)
            else {
                throw ValidationError(
                    "--identity-key and --beacon-key need --rotation-exponent, 0 to 15, and --clock")
            }
            if let beaconKey, Hex.bytes(beaconKey)?.count != EphemeralKeyAgreement.keyByteCount {
                throw ValidationError("--beacon-key must have 64 hexadecimal digits")
            }
            if let initialEid, Hex.bytes(initialEid)?.count != 8 {
                throw ValidationError("--initial-eid must have 16 hexadecimal digits")
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
                else { throw CommandFailure(.badData, "\(identityKey): expected 32 hexadecimal digits") }
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
            abstract: "Print the server's parameters for the registration of an Eddystone-EID beacon.")

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
