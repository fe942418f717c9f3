/// A writer of the fields of a flat record. The counterpart is ``RecordReader``.
struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    private mutating func put(word: some FixedWidthInteger & UnsignedInteger, count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * index))) }
    }

    mutating func put(code byte: UInt8) { bytes.append(byte) }
    mutating func put(_ flag: Bool) { bytes.append(flag ? 1 : 0) }
    mutating func put(_ number: Double) { put(word: number.bitPattern, count: 8) }
    mutating func put(count: Int) { put(word: UInt32(clamping: count), count: 4) }
    /// Writes the eight bytes of a token or a name, the highest first.
    mutating func put(name: UInt64) { put(word: name.byteSwapped, count: 8) }
    mutating func put(_ duration: Duration) { put(Double(duration.wholeMicroseconds)) }

    mutating func put(_ more: [UInt8]) {
        put(count: more.count)
        bytes += more
    }

    mutating func put(_ text: String) { put(Array(text.utf8)) }

    mutating func put<Value>(_ value: Value?, _ write: (inout RecordWriter, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }

    mutating func put<Value>(list: [Value], _ write: (inout RecordWriter, Value) -> Void) {
        put(count: list.count)
        for value in list { write(&self, value) }
    }
}

extension Duration {
    /// The duration in microseconds, truncated.
    var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product + attoseconds / 1_000_000_000_000
    }

    /// The duration in microseconds, rounded up.
    var microsecondsUp: Int64 {
        let whole = wholeMicroseconds
        return components.attoseconds % 1_000_000_000_000 > 0 ? whole + 1 : whole
    }
}
