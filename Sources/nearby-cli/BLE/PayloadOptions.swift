import ArgumentParser
import BLEMedium
import Beacons

/// The options for the payload of an advertisement. Exactly one of four must be given.
struct PayloadOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Advertise a Nearby token of 8 to 12 bytes, up to 32 with --extended.", valueName: "hex"))
    var token: String?

    @Option(
        help: ArgumentHelp(
            "Advertise an Eddystone-UID: 20 hexadecimal digits of namespace and 12 of instance; 'eddystone:' may precede them.",
            valueName: "hex+hex"))
    var eddystoneUid: String?

    @Option(
        help: ArgumentHelp(
            "Advertise an Eddystone-URL of at most 17 bytes after the scheme.", valueName: "URL"))
    var eddystoneUrl: String?

    @Option(
        help: ArgumentHelp(
            "Advertise an iBeacon: UUID, major and minor; 'ibeacon:' may precede them.", valueName: "UUID/n/n"
        ))
    var ibeacon: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Received power at 1 m that a beacon states, -100 to 0.", valueName: "dBm"))
    var power = -59

    func validate() throws {
        guard [token, eddystoneUid, eddystoneUrl, ibeacon].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("give one of --token, --eddystone-uid, --eddystone-url and --ibeacon")
        }
        guard (-100...0).contains(power) else { throw ValidationError("--power must be -100 to 0 dBm") }
        _ = try payload()
    }

    /// Throws: 64 if an option's value is invalid.
    func payload() throws -> AirPayload {
        // Eddystone frames state the power at 0 m instead of 1 m.
        let reference = ReferencePower(atOneMeterDBm: power)
        let zero = Int8(clamping: reference.atZeroMetersDBm)
        if let token {
            guard let bytes = PayloadOptions.bytes(token), (8...32).contains(bytes.count) else {
                throw ValidationError("--token must be 8 to 32 bytes as hexadecimal digits, not '\(token)'")
            }
            return .token(bytes)
        }
        if let eddystoneUid {
            let parts = PayloadOptions.withoutKind("eddystone:", eddystoneUid).split(
                separator: "+", omittingEmptySubsequences: false
            ).map {
                PayloadOptions.bytes(String($0)) ?? []
            }
            guard parts.count == 2,
                let uid = EddystoneUID(
                    namespace: parts[0], instance: parts[1], txPowerAtZeroMetersDBm: zero)
            else {
                throw ValidationError(
                    "--eddystone-uid must be 20 hexadecimal digits, '+' and 12 more, not '\(eddystoneUid)'")
            }
            return .beacon(.eddystone(.uid(uid)))
        }
        if let eddystoneUrl {
            do throws(EddystoneURLProblem) {
                return .beacon(.eddystone(.url(try EddystoneURL(eddystoneUrl, txPowerAtZeroMetersDBm: zero))))
            } catch {
                throw ValidationError("--eddystone-url: \(error)")
            }
        }
        return try beacon(ibeacon ?? "")
    }

    private func beacon(_ text: String) throws -> AirPayload {
        let parts = PayloadOptions.withoutKind("ibeacon:", text).split(
            separator: "/", omittingEmptySubsequences: false
        ).map(String.init)
        guard parts.count == 3, parts[0].count == 36, let uuid = BluetoothUUID(parts[0]),
            let major = UInt16(parts[1]), let minor = UInt16(parts[2])
        else {
            throw ValidationError(
                "--ibeacon must be a UUID, a major and a minor of 0 to 65535, as 01234567-89ab-cdef-0123-456789abcdef/1/2, not '\(text)'"
            )
        }
        return .beacon(
            .iBeacon(
                IBeaconFrame(
                    uuid: uuid.value, major: major, minor: minor, powerAtOneMeterDBm: Int8(clamping: power))))
    }

    /// Removes the kind with which `nearby ble scan` and `nearby beacons` begin a beacon's name.
    private static func withoutKind(_ kind: String, _ text: String) -> Substring {
        text.lowercased().hasPrefix(kind) ? text.dropFirst(kind.count) : text[...]
    }

    /// Decodes hexadecimal digits; `nil` if the text does not consist of pairs of them.
    private static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.compactMap { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
