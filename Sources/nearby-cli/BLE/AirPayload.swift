import BLEMedium
import Beacons
import CommandOutput
import Nearby

/// The content of one advertisement: a token or a beacon.
enum AirPayload: Sendable, Hashable {
    case token([UInt8])
    case beacon(Beacon)

    /// The payload in words, for example "eddystone-url https://example.com".
    var words: String {
        switch self {
        case .token(let bytes): "token \(FindingWords.hex(bytes))"
        case .beacon: "\(finding.kind) \(FindingWords.text(finding))"
        }
    }

    private var finding: Finding {
        switch self {
        case .token(let bytes): .token(bytes)
        case .beacon(let beacon): .beacon(beacon)
        }
    }

    /// Builds the advertising data for each form of advertising. Throws: 64 if the payload does not fit into
    /// the form that the radio uses.
    func content(for radio: TransportName, isExtended: Bool) throws(CommandFailure)
        -> RadioOrder.Advertising.Content
    {
        let content = RadioOrder.Advertising.Content(
            plain: data(room: 31), bare: data(room: 28, hasFlags: false),
            extended: isExtended ? data(room: 251) : nil)
        if case .management = radio {
            guard !isExtended else {
                throw CommandFailure(
                    .usage,
                    "\(radio) sends only legacy advertisements of 31 bytes: leave --extended out, or use hci-user:N"
                )
            }
            guard content.bare != nil else {
                throw CommandFailure(
                    .usage,
                    "\(words) does not fit: \(radio) leaves 28 bytes, because the kernel adds 3; use hci-user:N"
                )
            }
        }
        guard isExtended ? content.extended != nil : content.plain != nil else {
            throw CommandFailure(.usage, "\(words) does not fit into 31 bytes; use --extended")
        }
        return content
    }

    private func data(room: Int, hasFlags: Bool = true) -> [UInt8]? {
        switch self {
        case .token(let bytes): TokenAdvertisement().data(of: bytes, room: room, hasFlags: hasFlags)
        case .beacon(let beacon):
            (hasFlags ? AirPayload.data(beacon, room, hasFlags: true) : nil)
                ?? AirPayload.data(beacon, room, hasFlags: false)
        }
    }

    private static func data(_ beacon: Beacon, _ room: Int, hasFlags: Bool) -> [UInt8]? {
        var composer = AdvertisementComposer(byteBudget: room)
        do throws(AdvertisementOverflow) {
            if hasFlags { try composer.append(.beacon) }
            try composer.append(beacon)
            return composer.bytes
        } catch {
            return nil
        }
    }
}
