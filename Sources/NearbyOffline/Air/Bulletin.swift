/// The publications of a device as bytes.
///
///     | 0x10, or 0x11 with a signature | entry … entry | signature 64 |
///     entry: | earshot 1 bit, slot 7 bits | byte counts of namespace, type, content 1 + 1 + 1 | these |
///
/// Slots ascend, so each bulletin has only one encoding. The file imports nothing, because `Tools/fuzz`
/// compiles it by itself.
struct Bulletin: Hashable, Sendable {
    /// A publication.
    struct Entry: Hashable, Sendable {
        /// The number of the publication on its device. It stays the same when the content changes.
        var slot: UInt8
        /// True if only devices that find this one by sound are to receive the publication.
        var isForEarshot: Bool
        var namespace: String
        var type: String
        var content: [UInt8]
    }

    var entries: [Entry] = []
    /// The publisher's signature of the bytes before it, the sender and the time (``Statement``).
    var signature: [UInt8]?

    static let signatureByteCount = 64
    static let slotCount = 128

    /// The number of bytes without the signature.
    var unsignedByteCount: Int {
        entries.reduce(1) { $0 + 4 + $1.namespace.utf8.count + $1.type.utf8.count + $1.content.count }
    }

    /// Returns the bytes without the signature; the first byte says whether a signature follows. Returns
    /// `nil` if a field of an entry is longer than 255 bytes.
    func signedBytes(isSigned: Bool) -> [UInt8]? {
        var bytes: [UInt8] = [isSigned ? 0x11 : 0x10]
        for entry in entries {
            let fields = [Array(entry.namespace.utf8), Array(entry.type.utf8), entry.content]
            guard fields.allSatisfy({ $0.count <= 255 }) else { return nil }
            bytes.append(entry.slot | (entry.isForEarshot ? 0x80 : 0))
            bytes += fields.map { UInt8($0.count) }
            bytes += fields.joined()
        }
        return bytes
    }
}

extension Bulletin {
    /// Reads a bulletin. Returns `nil` for anything but ``signedBytes(isSigned:)``, followed by a signature
    /// if they announce one.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first, first == 0x10 || first == 0x11 else { return nil }
        var rest = bytes.dropFirst()
        if first == 0x11 {
            guard rest.count >= Bulletin.signatureByteCount else { return nil }
            signature = Array(rest.suffix(Bulletin.signatureByteCount))
            rest = rest.dropLast(Bulletin.signatureByteCount)
        }
        while !rest.isEmpty {
            guard let entry = Bulletin.takeEntry(from: &rest) else { return nil }
            if let last = entries.last, last.slot >= entry.slot { return nil }
            entries.append(entry)
        }
    }

    private static func takeEntry(from rest: inout ArraySlice<UInt8>) -> Entry? {
        guard rest.count >= 4 else { return nil }
        let head = Array(rest.prefix(4))
        rest = rest.dropFirst(4)
        let counts = head.dropFirst().map(Int.init)
        guard rest.count >= counts.reduce(0, +) else { return nil }
        let fields = counts.map { count in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard let namespace = String(validating: fields[0], as: UTF8.self),
            let type = String(validating: fields[1], as: UTF8.self)
        else { return nil }
        return Entry(
            slot: head[0] & 0x7F, isForEarshot: head[0] & 0x80 != 0, namespace: namespace, type: type,
            content: fields[2])
    }
}
