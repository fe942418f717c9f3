/// A reader that returns the structures of an ``Advertisement`` one by one.
public struct AdvertisementReader: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0
    /// True if a length reached past the end; the structure that it announced is not returned.
    public private(set) var isTruncated = false

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Returns the next structure; `nil` at the end, early or not, and from then on.
    @_lifetime(copy self)
    public mutating func next() -> ADStructure? {
        // A length includes the type. A length of 0 holds nothing: zeros up to the end are padding, others
        // come from careless senders.
        while offset < bytes.count, bytes[offset] == 0 { offset += 1 }
        guard offset < bytes.count else { return nil }
        let length = Int(bytes[offset])
        let start = offset + 1
        guard length <= bytes.count - start else {
            (offset, isTruncated) = (bytes.count, true)
            return nil
        }
        offset = start + length
        return ADStructure(type: ADType(rawValue: bytes[start]), body: bytes.extracting(start + 1..<offset))
    }
}
