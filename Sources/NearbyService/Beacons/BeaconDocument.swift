import Beacons
import FoundationEssentials
import Nearby
import NearbyWire

/// A beacon as JSON, for a store's row or a line of an export.
///
///     {"attachments":[{"data":"…","namespacedType":"shop/offer"}],"beacon":"beacons/3!…","status":"ACTIVE"}
package struct BeaconDocument: Codable, Sendable {
    struct Ephemeral: Codable {
        /// The beacon's identity key; `nil` in an export without keys.
        var identityKey: Data?
        var rotationExponent: Int
        var clockSeconds: UInt32
        var registeredUnixSeconds: Int64
    }

    var beacon: String
    var status: String
    var stability: String?
    var description: String?
    var place: String?
    var properties: [String: String]?
    var attachments: [WireAttachment]?
    var ephemeral: Ephemeral?

    /// - Parameter withKey: true if the document includes the key of changing names. Without it,
    ///   ``value(of:known:)`` needs the beacon as it is known.
    package init(_ beacon: RegisteredBeacon, withKey: Bool) {
        self.beacon = beacon.name.description
        (status, stability) = (beacon.status.rawValue, beacon.stability?.rawValue)
        description = beacon.description.isEmpty ? nil : beacon.description
        place = beacon.place.isEmpty ? nil : beacon.place
        properties = beacon.properties.isEmpty ? nil : beacon.properties
        attachments = beacon.attachments.isEmpty ? nil : beacon.attachments.map(WireAttachment.init)
        ephemeral = beacon.ephemeral.map {
            Ephemeral(
                identityKey: withKey ? Data($0.identity.keyBytes) : nil,
                rotationExponent: $0.identity.rotationExponent, clockSeconds: $0.clockSeconds,
                registeredUnixSeconds: $0.registeredUnixSeconds)
        }
    }

    /// The document as a line of an export.
    package var line: String { String(decoding: WireCoding.encode(self), as: UTF8.self) }

    /// - Parameter known: the same beacon in its present state. Its key is used if the document has none.
    ///
    /// Throws: an error that states what is wrong and where.
    package func value(of project: ProjectID, known: RegisteredBeacon? = nil) throws(WireError)
        -> RegisteredBeacon
    {
        guard let name = BeaconName(beacon) else {
            throw WireError("beacon", "beacons/N!hex, N 1, 3 or 5, not '\(beacon.prefix(60))'")
        }
        var attached: [BeaconAttachment] = []
        for (n, one) in (attachments ?? []).enumerated() {
            attached.append(try one.value("attachments[\(n)]"))
        }
        let (status, stability) = (try statusValue(), try stabilityValue())
        let ephemeral = try ephemeralValue(known: known?.ephemeral)
        do throws(BeaconProblem) {
            return try RegisteredBeacon(
                name, of: project, status: status, stability: stability, description: description ?? "",
                place: place ?? "", properties: properties ?? [:], attachments: attached,
                ephemeral: ephemeral)
        } catch {
            throw WireError("", error.description)
        }
    }

    private func statusValue() throws(WireError) -> RegisteredBeacon.Status {
        guard let known = RegisteredBeacon.Status(rawValue: status) else {
            throw WireError("status", "ACTIVE, INACTIVE or DECOMMISSIONED, not '\(status.prefix(20))'")
        }
        return known
    }

    private func stabilityValue() throws(WireError) -> RegisteredBeacon.Stability? {
        guard let stability else { return nil }
        guard let known = RegisteredBeacon.Stability(rawValue: stability) else {
            throw WireError(
                "stability", "STABLE, PORTABLE, MOBILE or ROVING, not '\(stability.prefix(20))'")
        }
        return known
    }

    private func ephemeralValue(
        known: EphemeralRegistration?
    ) throws(WireError) -> EphemeralRegistration? {
        guard let ephemeral else { return nil }
        guard let key = ephemeral.identityKey.map(Array.init) ?? known?.identity.keyBytes else {
            throw WireError(
                "ephemeral.identityKey", "is missing, and no such beacon is known: export --with-keys")
        }
        guard let identity = EphemeralIdentity(key: key, rotationExponent: ephemeral.rotationExponent) else {
            throw WireError(
                "ephemeral",
                "a key of 16 bytes and a rotation exponent of 0 to 15, not \(key.count) and "
                    + "\(ephemeral.rotationExponent)")
        }
        return EphemeralRegistration(
            identity, clockSeconds: ephemeral.clockSeconds,
            registeredUnixSeconds: ephemeral.registeredUnixSeconds)
    }
}

/// A namespace as a line of an export.
struct NamespaceDocument: Codable {
    enum Visibility: String, Codable {
        case unlisted = "UNLISTED"
        case everyone = "PUBLIC"
    }

    var namespace: String
    var visibility: Visibility

    init(_ namespace: BeaconNamespace) {
        (self.namespace, visibility) = (namespace.name, namespace.isPublic ? .everyone : .unlisted)
    }

    func value(of project: ProjectID) throws(WireError) -> BeaconNamespace {
        guard let value = BeaconNamespace(namespace, of: project, isPublic: visibility == .everyone) else {
            throw WireError("namespace", BeaconNamespace.rule)
        }
        return value
    }
}

extension BeaconNamespace {
    /// The rule for the names of namespaces, for error messages.
    package static let rule =
        "1 to \(AttachmentType.maximumNamespaceByteCount) letters, digits, '-', '_' or '.'"
}

/// The conversion of a beacon to and from a row in any store.
package enum StoredBeacon {
    package static func body(_ beacon: RegisteredBeacon) -> Data {
        WireCoding.encode(BeaconDocument(beacon, withKey: true))
    }

    /// Reads a row. Throws: `.failed` if it was not written by this program.
    package static func value(
        _ body: Data, of project: ProjectID, revision: Int64
    ) throws(StoreError) -> RegisteredBeacon {
        do throws(WireError) {
            var beacon = try WireCoding.decode(BeaconDocument.self, from: body).value(of: project)
            beacon.revision = revision
            return beacon
        } catch {
            throw .failed("a beacon's record: \(error)")
        }
    }
}
