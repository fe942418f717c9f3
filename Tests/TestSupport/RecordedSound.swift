/// An error in a fixture.
package struct FixtureError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// The samples of a mono 16-bit WAV file, read without the library under test.
package struct RecordedSound: Sendable {
    package let sampleRateHz: Double
    /// The samples; full scale is 1.
    package let samples: [Float]

    /// Throws ``FixtureError`` unless the bytes are a RIFF file of mono 16-bit PCM.
    package init(wav bytes: [UInt8]) throws {
        guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8),
            bytes[8..<12].elementsEqual("WAVE".utf8)
        else { throw FixtureError("a RIFF/WAVE file was expected") }
        var format: ArraySlice<UInt8> = []
        var data: ArraySlice<UInt8>?
        var start = 12
        while start + 8 <= bytes.count {
            let body = start + 8
            let end = min(bytes.count, body + Int(Self.word(bytes[(start + 4)..<body])))
            if bytes[start..<(start + 4)].elementsEqual("fmt ".utf8) { format = bytes[body..<end] }
            if bytes[start..<(start + 4)].elementsEqual("data".utf8) { data = bytes[body..<end] }
            start = end + (end - body) % 2
        }
        guard format.count >= 16, let data else { throw FixtureError("fmt and data chunks were expected") }
        let fields = Array(format)
        guard Self.word(fields[0..<2]) == 1, Self.word(fields[2..<4]) == 1, Self.word(fields[14..<16]) == 16
        else { throw FixtureError("mono 16-bit PCM was expected") }
        sampleRateHz = Double(Self.word(fields[4..<8]))
        let pairs = Array(data)
        samples = stride(from: 0, to: pairs.count - 1, by: 2).map {
            Float(Int16(truncatingIfNeeded: Self.word(pairs[$0..<($0 + 2)]))) / 32_768
        }
    }

    /// Reads a little-endian number.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
