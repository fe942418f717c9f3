import AudioIO
import CSndFile
import Glibc
import TestSupport
import Testing

@Suite struct PipeTests {
    let directory = TemporaryDirectory()

    func readThroughPipe(_ name: String, raw: RawPCM? = nil) throws -> Sound {
        try Sound.readThroughPipe(#require(directory.read(name)), raw: raw).sound
    }

    @Test(arguments: [0x10002, 0x10003, 0x10006, 0x30002, 0x20002]) func wavAuAndAIFF(format: Int) throws {
        let sound = Sound.ramps(channelCount: 2, frameCount: 60000)
        _ = sound.makeFile("x", in: directory, format: format)
        #expect(try readThroughPipe("x") == sound)
    }

    @Test func rawSamples() throws {
        directory.write([0, 0x40, 0, 0xC0], to: "x")
        let raw = RawPCM(encoding: .s16, sampleRateHz: 48000)
        #expect(try readThroughPipe("x", raw: raw).channels == [[0.5, -0.5]])
    }

    /// Recorders that do not know the length write such a size to a pipe.
    @Test(arguments: [0xFFFF_FFFF, 0x7FFF_FFDB] as [UInt32]) func announcedUntilTheEnd(dataBytes: UInt32)
        throws
    {
        let sound = Sound.ramps(channelCount: 1, frameCount: 3000)
        _ = sound.makeFile("x", in: directory, format: 0x10002)
        var bytes = try #require(directory.read("x"))
        for byte in 0..<4 { bytes[40 + byte] = UInt8(truncatingIfNeeded: dataBytes >> (8 * UInt32(byte))) }
        directory.write(bytes, to: "x")
        #expect(try readThroughPipe("x") == sound)
    }

    /// FLAC, CAF, RF64, BW64 and W64 need no seeking.
    @Test(arguments: [0x17_0002, 0x17_0003, 0x18_0002, 0x18_0006, 0x22_0002, 0x0B_0002]) func flacCAFAndRF64(
        format: Int
    ) throws {
        let sound = Sound.ramps(channelCount: 2, frameCount: 60_000)
        _ = sound.makeFile("x", in: directory, format: format)
        #expect(try readThroughPipe("x") == sound)
    }

    /// The formats are lossy: the result is as long as the sound, give or take the encoder's padding, and
    /// about as loud.
    @Test(arguments: [Int(SF_FORMAT_MPEG) | Int(SF_FORMAT_MPEG_LAYER_III), 0x20_0060]) func mp3AndOgg(
        format: Int
    ) throws {
        let sine = (0..<48_000).map { 0.5 * sinf(Float($0) * 0.05) }
        _ = Sound(channels: [sine]).makeFile("x", in: directory, format: format)
        let heard = try readThroughPipe("x")
        #expect((48_000..<52_000).contains(heard.frameCount))
        let power = heard.channels[0].reduce(0) { $0 + $1 * $1 } / 48_000
        #expect((0.11...0.14).contains(power))
    }

    @Test(arguments: ["", "hello"]) func notSound(contents: String) throws {
        directory.write(Array(contents.utf8), to: "x")
        #expect(rejection { try readThroughPipe("x") }?.kind == .badData)
    }
}
