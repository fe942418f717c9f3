import AudioIO
import CSndFile
import Glibc
import TestSupport
import Testing

@Suite struct WAVReaderTests {
    let directory = TemporaryDirectory()

    struct Container: CustomTestStringConvertible {
        var name: String
        var format: Int
        var tolerance: Float
        var testDescription: String { name }
    }

    static let containers = [
        Container(name: "16.wav", format: Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_16), tolerance: 0),
        Container(name: "24.wav", format: Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_24), tolerance: 0),
        Container(name: "32.wav", format: Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_32), tolerance: 0),
        Container(name: "8.wav", format: Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_U8), tolerance: 0x1p-6),
        Container(name: "float.wav", format: Int(SF_FORMAT_WAV) | Int(SF_FORMAT_FLOAT), tolerance: 0),
        Container(name: "double.wav", format: Int(SF_FORMAT_WAV) | Int(SF_FORMAT_DOUBLE), tolerance: 0),
        Container(name: "x.flac", format: Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_16), tolerance: 0),
        Container(name: "24.flac", format: Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_24), tolerance: 0),
        Container(name: "x.aiff", format: Int(SF_FORMAT_AIFF) | Int(SF_FORMAT_PCM_16), tolerance: 0),
        Container(name: "x.au", format: Int(SF_FORMAT_AU) | Int(SF_FORMAT_PCM_16), tolerance: 0),
        Container(name: "x.caf", format: Int(SF_FORMAT_CAF) | Int(SF_FORMAT_PCM_24), tolerance: 0),
        Container(name: "x.rf64", format: Int(SF_FORMAT_RF64) | Int(SF_FORMAT_PCM_16), tolerance: 0),
    ]

    @Test(arguments: containers, [1, 2, 3]) func readsWhatLibsndfileWrote(
        container: Container, channelCount: Int
    ) throws {
        let sound = Sound.ramps(channelCount: channelCount, frameCount: 5000, sampleRateHz: 44100)
        let path = sound.makeFile(container.name, in: directory, format: container.format)
        let reader = try WAVReader(AudioPath(path))
        #expect(
            reader.format == AudioFormat(sampleRateHz: 44100, channelCount: channelCount, frameCount: 5000))
        let heard = try Sound.read(from: reader)
        #expect(heard.frameCount == 5000)
        #expect(heard.largestDifference(from: sound) <= container.tolerance)
        #expect(reader.replacedSampleCount == 0)
    }

    /// Vorbis is lossy: a slow sine comes back within 5 %.
    @Test func readsOgg() throws {
        let sine = (0..<20000).map { 0.5 * sinf(Float($0) * 0.05) }
        let path = Sound(channels: [sine]).makeFile(
            "x.ogg", in: directory, format: Int(SF_FORMAT_OGG) | Int(SF_FORMAT_VORBIS))
        let heard = try Sound.read(from: WAVReader(AudioPath(path)))
        #expect(heard.frameCount == 20000)
        #expect(heard.largestDifference(from: Sound(channels: [sine])) < 0.05)
    }

    @Test(arguments: [1, 64, 4096]) func blockSizeDoesNotMatter(capacity: Int) throws {
        let sound = Sound.ramps(channelCount: 2, frameCount: 1000)
        let path = sound.makeFile("x.wav", in: directory, format: 0x10002)
        #expect(try Sound.read(from: WAVReader(AudioPath(path)), capacity: capacity) == sound)
    }

    @Test func manyChannels() throws {
        let sound = Sound.ramps(channelCount: 200, frameCount: 300)
        let reader = try WAVReader(AudioPath(sound.makeFile("x.wav", in: directory, format: 0x10006)))
        #expect(reader.makeBlock().capacity * 200 <= 65536)
        #expect(try Sound.read(from: reader) == sound)
    }

    @Test func whatIsNotANumberIsReadAsSilenceAndCounted() throws {
        let sound = Sound(channels: [[0.5, .nan, .infinity, -0.25], [-.infinity, 0, 1.5, .signalingNaN]])
        let reader = try WAVReader(AudioPath(sound.makeFile("x.wav", in: directory, format: 0x10006)))
        let heard = try Sound.read(from: reader)
        #expect(heard.channels == [[0.5, 0, 0, -0.25], [0, 0, 1.5, 0]])
        #expect(reader.replacedSampleCount == 4)
    }

    @Test(arguments: RawPCM.Encoding.allCases) func rawSamples(encoding: RawPCM.Encoding) throws {
        let bytes: [UInt8] =
            switch encoding {
            case .s16: [0, 0x40, 0, 0x80]
            case .s24: [0, 0, 0x40, 0, 0, 0x80]
            case .s32: [0, 0, 0, 0x40, 0, 0, 0, 0x80]
            case .f32: [0, 0, 0, 0x3F, 0, 0, 0x80, 0xBF]
            }
        let path = directory.write(bytes + bytes, to: "x.raw")
        let raw = RawPCM(encoding: encoding, sampleRateHz: 96000, channelCount: 2)
        let reader = try WAVReader(AudioPath(path), raw: raw)
        #expect(reader.format == AudioFormat(sampleRateHz: 96000, channelCount: 2, frameCount: 2))
        #expect(try Sound.read(from: reader).channels == [[0.5, 0.5], [-1, -1]])
    }

    @Test func aWAVThatWasCutIsReadAsFarAsItGoes() throws {
        let sound = Sound.ramps(channelCount: 1, frameCount: 1000)
        _ = sound.makeFile("whole.wav", in: directory, format: 0x10002)
        let whole = try #require(directory.read("whole.wav"))
        let path = directory.write(Array(whole[..<1044]), to: "cut.wav")
        let heard = try Sound.read(from: WAVReader(AudioPath(path)))
        #expect(heard == Sound(channels: [Array(sound.channels[0][..<500])]))
    }
}
