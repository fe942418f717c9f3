import AudioIO
import Glibc
import TestSupport
import Testing

@Suite struct WAVReaderRejectionTests {
    let directory = TemporaryDirectory()

    @Test func noSuchFile() {
        let error = rejection { try WAVReader(AudioPath(directory.file("none.wav"))) }
        #expect(error?.kind == .noSuchInput)
        #expect(error?.description == "\(directory.path)/none.wav: no such file; check the name")
    }

    @Test func aDirectory() {
        #expect(rejection { try WAVReader(AudioPath(directory.path)) }?.kind == .noSuchInput)
    }

    @Test func anEmptyName() {
        let error = rejection { try WAVReader(AudioPath("")) }
        #expect(error?.kind == .noSuchInput)
        #expect(error?.description.hasPrefix("(empty file name): ") == true)
    }

    @Test(arguments: ["", "hello\n", "RIFF", "RIFF\0\0\0\0WAVE", "RIFF\u{24}\0\0\0WAVEfmt \u{10}\0\0\0"])
    func notSound(contents: String) {
        let path = directory.write(Array(contents.utf8), to: "x.wav")
        let error = rejection { try WAVReader(AudioPath(path)) }
        #expect(error?.kind == .badData)
        #expect(error?.description.contains("\n") == false)
        #expect(error?.description.hasPrefix("\(path): ") == true)
    }

    /// Every prefix of a header, and every byte of it set to 0x00, 0x7F and 0xFF, gives an error or sound,
    /// and never a trap.
    @Test func damagedHeaders() throws {
        _ = Sound.ramps(channelCount: 2, frameCount: 20).makeFile("good.wav", in: directory, format: 0x10002)
        let good = try #require(directory.read("good.wav"))
        var opened = 0
        var refused = 0
        func tryReading(_ bytes: [UInt8]) {
            let path = directory.write(bytes, to: "bad.wav")
            do {
                _ = try Sound.read(from: WAVReader(AudioPath(path)))
                opened += 1
            } catch {
                #expect((error as? AudioIOError)?.kind == .badData)
                refused += 1
            }
        }
        for count in 0...44 { tryReading(Array(good[..<count])) }
        for index in 0..<44 {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var bytes = good
                bytes[index] = value
                tryReading(bytes)
            }
        }
        #expect(opened > 20 && refused > 40)
    }

    @Test func aFLACThatWasCutGivesItsSoundAndSaysSo() throws {
        let sound = Sound.ramps(channelCount: 1, frameCount: 40000)
        _ = sound.makeFile("whole.flac", in: directory, format: 0x17_0002)
        let whole = try #require(directory.read("whole.flac"))
        let path = directory.write(Array(whole[..<(whole.count / 2)]), to: "cut.flac")
        let reader = try WAVReader(AudioPath(path))
        var block = reader.makeBlock()
        var heard: [Float] = []
        while try reader.read(into: &block) { block.withChannel(0) { heard += $0 } }
        #expect(
            reader.remarks.count == 1 && reader.remarks[0].hasPrefix("cut off: its header announces 0.8 s"))
        #expect(heard.count > 10000)
        let isWhatWasThere = heard == Array(sound.channels[0][..<heard.count])
        #expect(isWhatWasThere)
    }

    /// There is only a header, with and without an announced size, as a file and through a pipe.
    @Test(arguments: [0, 8000]) func aHeaderAlone(announced: Int) throws {
        let bytes = LyingWAV(announced: announced).bytes(Sound(channels: [[]]))
        let path = directory.write(bytes, to: "x.wav")
        for error in [
            rejection { try WAVReader(AudioPath(path)) }, rejection { try Sound.readThroughPipe(bytes) },
        ] {
            #expect(error?.kind == .badData)
            #expect(error?.reason == "a header alone, without any sound; record it again")
        }
    }

    @Test(arguments: ["ftypM4A ", "moov", "mdat"]) func mpeg4(box: String) {
        let path = directory.write(
            [0, 0, 0, 32] + Array(box.utf8) + [UInt8](repeating: 0, count: 100), to: "a b's.m4a")
        let error = rejection { try WAVReader(AudioPath(path)) }
        #expect(error?.kind == .badData)
        let command = "ffmpeg -i '\(directory.path)/a b'\\''s.m4a' -f wav - | nearby-modem decode -"
        #expect(error?.reason.hasSuffix(command) == true, "\(error?.reason ?? "")")
    }

    @Test(
        arguments: [
            ([0x1A, 0x45, 0xDF, 0xA3], "Matroska"),
            ([0xFF, 0xF1, 0x4C, 0x80, 0x02, 0x1F, 0xFC], "AAC (ADTS)"),
            ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "Windows Media"),
            (Array("#!AMR\n".utf8), "AMR"),
            (Array("wvpk".utf8), "WavPack"),
        ] as [([UInt8], String)]) func foreignFormats(magic: [UInt8], name: String)
    {
        let bytes = magic + [UInt8](repeating: 0, count: 600)
        let error = rejection { try Sound.readThroughPipe(bytes) }
        #expect(error?.kind == .badData && error?.reason.contains(name) == true)
        #expect(error?.reason.hasSuffix("ffmpeg -i - -f wav - | nearby-modem decode -") == true)
    }

    /// libsndfile closes a descriptor from which it cannot open sound. The next file may by then have its
    /// number.
    @Test func aBorrowedDescriptorStaysOpen() throws {
        let path = directory.write([1, 2, 3], to: "x")
        let descriptor = open(path, O_RDONLY)
        #expect(rejection { try WAVReader(descriptor: descriptor, path: AudioPath(path)) }?.kind == .badData)
        #expect(close(descriptor) == 0)
    }

    /// Root can read everything, so that the test would show nothing.
    @Test(.enabled(if: geteuid() != 0)) func noPermission() {
        let path = directory.write([1], to: "x.wav")
        chmod(path, 0)
        #expect(rejection { try WAVReader(AudioPath(path)) }?.kind == .noPermission)
    }

    @Test func controlCharactersInANameStayOnOneLine() {
        let error = rejection { try WAVReader(AudioPath("a\nb\u{1B}[31m.wav")) }
        #expect(error?.description == "a\\nb\\u001b[31m.wav: no such file; check the name")
    }
}

/// Returns the ``AudioIOError`` that `body` throws; `nil` if it throws none.
func rejection<Result>(_ body: () throws -> Result) -> AudioIOError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? AudioIOError
    }
}
