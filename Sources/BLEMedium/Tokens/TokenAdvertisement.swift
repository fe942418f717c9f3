import Beacons
import Nearby

/// A format that puts tokens into the data of an advertisement, and finds them there.
///
///     | 02 01 06 | length, type, service | version and kind | token 8 … 16 bytes |
///     | flags    | service data …                                                |
///
/// Flags and a list of services are sent if they fit. Some phones show no sender without flags, and receive
/// none in the background without the list.
package struct TokenAdvertisement: Sendable, Hashable {
    /// The version of this layout, in the three highest bits. Google's own readers of their service accept 1
    /// and 2.
    static let version: UInt8 = 7 << 5
    package static let frameByteCounts = 8...32

    package var service: BluetoothUUID

    package init(_ service: BluetoothUUID = .nearby) { self.service = service }

    /// Returns an advertisement's data with one frame in it; `nil` if the frame does not fit.
    ///
    /// - Parameters:
    ///   - room: the bytes that the data may have: 31 for all radios; 28 where the system adds flags of its
    ///     own; up to 251 in the extended form.
    package func data(of frame: [UInt8], room: Int, hasFlags: Bool = true) -> [UInt8]? {
        guard TokenAdvertisement.frameByteCounts.contains(frame.count) else { return nil }
        // Flags come first if they are there. The combinations are tried from the largest to the smallest.
        for (withFlags, withList) in [(true, true), (true, false), (false, true), (false, false)]
        where hasFlags || !withFlags {
            var composer = AdvertisementComposer(byteBudget: room)
            do throws(AdvertisementOverflow) {
                if withFlags { try composer.append(.beacon) }
                if withList { try composer.append(listing: service) }
                try composer.append(serviceData: [TokenAdvertisement.version] + frame, of: service)
                return composer.bytes
            } catch {
                continue
            }
        }
        return nil
    }

    /// The first bytes of an advertisement field with a token.
    package var pattern: RadioOrder.Pattern {
        var composer = AdvertisementComposer()
        do throws(AdvertisementOverflow) {
            try composer.append(serviceData: [UInt8](), of: service)
        } catch {
            preconditionFailure("the number of a service fits into 31 bytes")
        }
        return RadioOrder.Pattern(type: composer.bytes[1], Array(composer.bytes.dropFirst(2)))
    }

    /// Returns the length of the longest frame that fits.
    package func longestFrame(room: Int) -> Int { room - 3 - pattern.bytes.count }

    /// Returns all frames in the data: service data of this service in this version. Never fails: incomplete
    /// frames are left out.
    package func frames(in data: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var reader = Advertisement(data.span).structures
        while let structure = reader.next() {
            guard let found = structure.serviceData, found.uuid == service else { continue }
            let payload = found.payload
            guard TokenAdvertisement.frameByteCounts.contains(payload.count - 1),
                payload[0] == TokenAdvertisement.version
            else { continue }
            frames.append((1..<payload.count).map { payload[$0] })
        }
        return frames
    }
}

extension BluetoothUUID {
    /// The UUID 8431075b-9308-4754-a472-fe0df2bcd6cd, drawn at random for tokens of this project.
    public static let nearby = BluetoothUUID(
        0x8431_075B_9308_4754_A472_FE0D_F2BC_D6CD as UInt128)
}
