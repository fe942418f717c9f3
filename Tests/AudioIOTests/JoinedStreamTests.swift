import AudioIO
import CSndFile
import TestSupport
import Testing

/// Tests of compressed recordings one after the other in one file, as `cat` and radio stations make them.
@Suite struct JoinedStreamTests {
    let directory = TemporaryDirectory()
    static let flac16 = SF_FORMAT_FLAC | SF_FORMAT_PCM_16
    static let flac24 = SF_FORMAT_FLAC | SF_FORMAT_PCM_24
    static let vorbis = SF_FORMAT_OGG | SF_FORMAT_VORBIS
    static let opus = SF_FORMAT_OGG | 0x64

    func bytes(of sound: Sound, _ format: Int) throws -> [UInt8] {
        _ = sound.makeFile("one", in: directory, format: format)
        return try #require(directory.read("one"))
    }

    /// Reads the same from a file and through a pipe.
    func read(_ bytes: [UInt8]) throws -> (sound: Sound, remarks: [String]) {
        let reader = try WAVReader(AudioPath(directory.write(bytes, to: "all")))
        let file = try Sound.read(from: reader)
        let pipe = try Sound.readThroughPipe(bytes)
        #expect(pipe.sound == file)
        #expect(pipe.remarks.count == reader.remarks.count)
        return (file, reader.remarks)
    }

    @Test(arguments: [flac16, flac24], [1, 2]) func flac(format: Int, channelCount: Int) throws {
        let sounds = [50_000, 3000, 48_001].map {
            Sound.ramps(channelCount: channelCount, frameCount: $0)
        }
        let heard = try read(sounds.flatMap { try bytes(of: $0, format) })
        let all = (0..<channelCount).map { channel in sounds.flatMap { $0.channels[channel] } }
        #expect(heard.sound == Sound(channels: all))
        #expect(heard.remarks.isEmpty)
    }

    @Test(arguments: [vorbis, opus]) func chainedOgg(format: Int) throws {
        let links = try [40_000, 48_000, 30_000].map { frameCount in
            try bytes(of: Sound(channels: [(0..<frameCount).map { Float($0 % 48) / 64 }]), format)
        }
        let each = try links.map { try read($0).sound.channels[0] }
        let heard = try read(links.flatMap { $0 })
        #expect(heard.sound.channels[0] == each.flatMap { $0 })
        #expect(heard.remarks.isEmpty)
    }

    /// The first recording ends within a frame, because its recorder was killed; the next recording follows.
    @Test(arguments: [flac16, vorbis]) func afterOneThatWasCut(format: Int) throws {
        let one = try bytes(of: .ramps(channelCount: 1, frameCount: 60_000), format)
        let cut = Array(one.prefix(one.count * 2 / 3))
        let alone = try read(cut).sound.frameCount
        let whole = try read(one).sound.frameCount
        let heard = try read(cut + one).sound.frameCount
        #expect(alone > 20_000)
        #expect(heard >= whole + alone * 9 / 10)
    }

    @Test func anotherFormatIsNamed() throws {
        let first = Sound.ramps(channelCount: 2, frameCount: 5000)
        let other = try bytes(
            of: .ramps(channelCount: 1, frameCount: 5000, sampleRateHz: 44_100), JoinedStreamTests.flac16)
        let heard = try read(try bytes(of: first, JoinedStreamTests.flac16) + other)
        #expect(heard.sound == first)
        #expect(
            heard.remarks == [
                "another recording in another format follows after the sound: \(other.count) bytes are not read"
            ])
    }

    /// The second recording consists only of its header.
    @Test func whatCannotBeReadIsNamed() throws {
        let first = Sound.ramps(channelCount: 1, frameCount: 5000)
        let one = try bytes(of: first, JoinedStreamTests.flac16)
        let heard = try read(one + one.prefix(12))
        #expect(heard.sound == first)
        #expect(heard.remarks.count == 1)
        #expect(
            heard.remarks[0].hasPrefix("another recording follows after the sound: 12 bytes are not read: it")
        )
    }
}
