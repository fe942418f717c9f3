/// All that a device publishes, as bytes.
///
///     | 0x10, or 0x11 with a signature | entry … entry | signature 64 |
///     entry: | earshot 1 bit, slot 7 bits | namespace's, type's, content's byte counts 1 + 1 + 1 | these three |
///
/// Slots ascend, so there is one way to write it. Imports nothing: `Tools/fuzz` compiles it by itself.
struct Bulletin: Hashable, Sendable {
    /// A publication.
    struct Entry: Hashable, Sendable {
        /// Which of the device's publications, whatever its content becomes.
        var slot: UInt8
        /// Meant only for who is found by sound.
        var isForEarshot: Bool
        var namespace: String
        var type: String
        var content: [UInt8]
    }

    var entries: [Entry] = []
    /// Of the publisher, over the bytes before it and who sends them when.
    var signature: [UInt8]?

    static let signatureByteCount = 64
    static let slotCount = 128

    /// Of all but the signature.
    var unsignedByteCount: Int {
        entries.reduce(1) { $0 + 4 + $1.namespace.utf8.count + $1.type.utf8.count + $1.content.count }
    }

    /// Without the signature, but saying whether there is one. Nil when an entry is too long to be written.
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
    /// Nil for anything else than ``signedBytes(isSigned:)`` and a signature, if they say that there is one.
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
