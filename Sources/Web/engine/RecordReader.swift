/// A reader of the fields of a flat record, one after the other, as the page's script writes them: numbers
/// are little-endian, and texts and lists follow their count. Nothing traps: data that does not fit is a
/// ``WebError``. The counterpart is ``RecordWriter``.
struct RecordReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var left: Int { bytes.count - place }

    private mutating func take(_ count: Int) throws(WebError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= left else { throw .tooShort }
        defer { place += count }
        return bytes[place..<place + count]
    }

    private mutating func word<Word: FixedWidthInteger & UnsignedInteger>() throws(WebError) -> Word {
        var word: Word = 0
        for byte in try take(Word.bitWidth / 8).reversed() { word = word << 8 | Word(byte) }
        return word
    }

    mutating func byte() throws(WebError) -> UInt8 { try word() }

    mutating func flag() throws(WebError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .outOfRange
        }
    }

    /// Reads a number as scripts have them. It is never infinite and never NaN.
    mutating func double() throws(WebError) -> Double {
        let bits: UInt64 = try word()
        let number = Double(bitPattern: bits)
        guard number.isFinite else { throw .outOfRange }
        return number
    }

    /// Reads a whole number within `range`.
    mutating func whole(in range: ClosedRange<Int64>) throws(WebError) -> Int64 {
        let number = try double()
        guard number.magnitude <= 0x1p53, number == number.rounded(.towardZero),
            range.contains(Int64(number))
        else { throw .outOfRange }
        return Int64(number)
    }

    /// Reads the eight bytes of a token or a name, the first one highest.
    mutating func name() throws(WebError) -> UInt64 { (try word() as UInt64).byteSwapped }

    mutating func bytes(upTo limit: Int = .max) throws(WebError) -> [UInt8] {
        let count: UInt32 = try word()
        guard count <= UInt32(clamping: limit), count <= UInt32(clamping: left) else { throw .tooShort }
        return Array(try take(Int(count)))
    }

    mutating func text() throws(WebError) -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw .noText }
        return text
    }

    mutating func optional<Value>(
        _ read: (inout RecordReader) throws(WebError) -> Value
    ) throws(WebError) -> Value? {
        try flag() ? try read(&self) : nil
    }

    /// Reads a list. Each element has at least one byte, so a wrong count fails early.
    mutating func list<Value>(
        _ read: (inout RecordReader) throws(WebError) -> Value
    ) throws(WebError) -> [Value] {
        let count: UInt32 = try word()
        guard count <= UInt32(clamping: left) else { throw .tooShort }
        var values: [Value] = []
        for _ in 0..<count { values.append(try read(&self)) }
        return values
    }

    /// Checks that the whole record was read.
    func end() throws(WebError) { if left != 0 { throw .tooLong } }
}
