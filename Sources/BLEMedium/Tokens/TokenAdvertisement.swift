import Nearby

/// Tokens in the data of an advertisement, and out of it.
///
///     | 02 01 06 | length, type, service | version and kind | token 8 … 16 bytes |
///     | flags    | service data …                                                |
///
/// Flags and a list of services are sent when they fit: some phones show nobody without the one, and hear nobody in the
/// background without the other.
package struct TokenAdvertisement: Sendable, Hashable {
    /// Of this layout, in the three highest bits. Google's own readers of their service take 1 and 2.
    static let version: UInt8 = 7 << 5
    package static let frameByteCounts = 8...32
    private static let flags: [UInt8] = [2, 0x01, 0x06]

    package var service: ServiceUUID

    package init(_ service: ServiceUUID = .nearby) { self.service = service }

    /// An advertisement's data with one frame in it; nil when it has no room.
    ///
    /// - Parameters:
    ///   - room: 31 bytes for all radios; 28 where the system adds flags of its own; up to 251 in the extended form.
    package func data(of frame: [UInt8], room: Int, hasFlags: Bool = true) -> [UInt8]? {
        guard TokenAdvertisement.frameByteCounts.contains(frame.count) else { return nil }
        let body = [service.dataType] + service.wire + [TokenAdvertisement.version] + frame
        var data = [UInt8(body.count)] + body
        guard data.count <= room else { return nil }
        let list = [UInt8(1 + service.wire.count), service.listType] + service.wire
        if hasFlags, data.count + TokenAdvertisement.flags.count <= room {
            data = TokenAdvertisement.flags + data
        }
        if data.count + list.count <= room {
            // Behind the flags, which are first wherever they are.
            data.insert(contentsOf: list, at: data.starts(with: TokenAdvertisement.flags) ? 3 : 0)
        }
        return data
    }

    /// The longest frame that fits.
    package func longestFrame(room: Int) -> Int { room - 3 - service.wire.count }

    /// All frames in it: data of this service in this version; nothing else is looked at. Never fails: what is cut off is left out.
    package func frames(in data: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        let wire = service.wire
        var at = 0
        // A field is a length, a type and its bytes; a length of 0 ends them, and so does one past the end.
        while at < data.count, data[at] > 0, at + Int(data[at]) < data.count {
            let end = at + 1 + Int(data[at])
            let frame = at + 3 + wire.count
            if data[at + 1] == service.dataType, frame < end,
                data[(at + 2)..<(frame - 1)].elementsEqual(wire),
                data[frame - 1] == TokenAdvertisement.version,
                TokenAdvertisement.frameByteCounts.contains(end - frame)
            {
                frames.append(Array(data[frame..<end]))
            }
            at = end
        }
        return frames
    }
}
