import Glibc
import TestSupport
import Testing

@testable import AudioIO

@Suite struct StoredFormatTests {
    /// The values are from ITU-T G.711's tables, in 16 bits.
    @Test func compandedCodes() {
        let (mu, a) = (CompandingTable.muLaw, CompandingTable.aLaw)
        #expect(mu.values[0x00] == -32_124 && mu.values[0x80] == 32_124 && mu.values[0xFF] == 0)
        #expect(mu.values[0xFE] == 8 && mu.values[0x7E] == -8 && mu.values[0xF0] == 120)
        #expect(a.values[0xD5] == 8 && a.values[0x55] == -8 && a.values[0xAA] == 32_256)
        #expect(a.values[0x2A] == -32_256)
        for code in UInt8.min...UInt8.max {
            #expect(a.code(a.values[Int(code)]) == code)
            // Of the two zeros only one is written.
            #expect(mu.code(mu.values[Int(code)]) == (code == 0x7F ? 0xFF : code))
        }
        #expect(mu.code(40_000) == 0x80 && mu.code(-40_000) == 0)
    }

    /// If the track is 0, nothing changes, whatever the bytes are.
    @Test(arguments: StoredFormat.allCases) func silenceChangesNothing(format: StoredFormat) {
        var bytes = (0..<8 * 256 * 3).map { UInt8(truncatingIfNeeded: $0 * 37) }
        let before = bytes
        let track = [Float](repeating: 0, count: bytes.count / (3 * format.bytesPerSample))
        let limited = add(track, format, &bytes, takes: [true, true, true])
        #expect(bytes == before && limited == 0)
    }

    /// Each step arrives on its channels, to within half of the last bit.
    @Test(arguments: StoredFormat.allCases) func stepsArrive(format: StoredFormat) {
        var bytes = [UInt8](
            repeating: format == .u8 ? 128 : format == .muLaw ? 255 : format == .aLaw ? 0xD5 : 0,
            count: 2 * 100 * format.bytesPerSample)
        let track = (0..<100).map { 0.009 * Float($0) - 0.45 }
        #expect(add(track, format, &bytes, takes: [false, true]) == 0)
        var mono = [Float](repeating: 0, count: 100)
        let peak = mono.withUnsafeMutableBufferPointer { format.measure(bytes, channelCount: 2, into: $0) }
        let tolerance: Float = format.bytesPerSample == 1 ? (format == .u8 ? 0.004 : 0.02) : 0x1p-15
        for (heard, step) in zip(mono, track) { #expect(abs(2 * heard - step) <= tolerance) }
        #expect(abs(peak - 0.45) < 0.02)
    }

    @Test(arguments: StoredFormat.allCases) func atFullScaleTheTrackGivesWay(format: StoredFormat) {
        var bytes: [UInt8] = []
        switch format {
        case .u8: bytes = [255]
        case .s16: bytes = [255, 127]
        case .s24: bytes = [255, 255, 127]
        case .s32: bytes = [255, 255, 255, 127]
        case .float32: bytes = [0, 0, 0x80, 0x3F]
        case .float64: bytes = [0, 0, 0, 0, 0, 0, 0xF0, 0x3F]
        case .muLaw: bytes = [0x80]
        case .aLaw: bytes = [0xAA]
        }
        let before = bytes
        #expect(add([0.5], format, &bytes, takes: [true]) == 1)
        #expect(bytes == before)
    }

    /// Unused bits stay zero, at full scale too.
    @Test func unusedBitsStayZero() {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 0xFF, 0xFF, 0x7F]
        #expect(add([0.123456789, 0.5], .s32, &bytes, takes: [true], validBits: 24) == 1)
        #expect(bytes[0] == 0 && bytes[1] != 0 && bytes[4...] == [0, 0xFF, 0xFF, 0x7F])
    }

    /// A sample that is not a number stays unchanged.
    @Test func notANumber() {
        var bytes = withUnsafeBytes(of: Float.nan) { Array($0) }
        let before = bytes
        #expect(add([0.5], .float32, &bytes, takes: [true]) == 1)
        #expect(bytes == before)
        var mono: [Float] = [7]
        let peak = mono.withUnsafeMutableBufferPointer {
            StoredFormat.float32.measure(bytes, channelCount: 1, into: $0)
        }
        #expect(mono == [0] && peak == 0)
    }

    private func add(
        _ track: [Float], _ format: StoredFormat, _ bytes: inout [UInt8], takes: [Bool], validBits: Int = 64
    ) -> Int {
        track.withUnsafeBufferPointer { track in
            bytes.withUnsafeMutableBytes {
                format.add(track, to: $0.baseAddress!, takes: takes, validBits: validBits)
            }
        }
    }
}

@Suite struct FLACTagTests {
    @Test func tagsAreKept() throws {
        let directory = TemporaryDirectory()
        let tags = ProgrammeTag.Kind.allCases.map { ProgrammeTag(kind: $0, text: "\($0) ä") }
        let output = try FLACOutput(
            AudioPath(directory.file("x.flac")), inputs: [], sampleRateHz: 48_000, channelCount: 2, bits: 24,
            tags: tags)
        try output.write([Int32](repeating: 1 << 20, count: 20_000))
        try output.finish()
        let copy = try ProgrammeCopy(
            from: AudioPath(directory.file("x.flac")), to: AudioPath(directory.file("y.wav")))
        #expect(copy.source.tags.filter { $0.kind != .software } == tags.filter { $0.kind != .software })
        var bytes: [UInt8] = []
        #expect(try copy.source.read(20_000, appendingTo: &bytes) == 10_000)
        try copy.sink.write(bytes)
        try copy.sink.finish()
        let wav = try #require(directory.read("y.wav"))
        for name in ["LIST", "INFO", "INAM", "artist ä", "IPRD"] {
            #expect(wav.firstRange(of: Array(name.utf8)) != nil, "\(name)")
        }
    }
}
