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

    /// Every prefix of a header, and every byte of it set to 0x00, 0x7F and 0xFF: an error or sound, never a trap.
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

    @Test func aDamagedFLACGivesItsSoundAndThenTheDamage() throws {
        let sound = Sound.ramps(channelCount: 1, frameCount: 40000)
        _ = sound.makeFile("whole.flac", in: directory, format: 0x17_0002)
        let whole = try #require(directory.read("whole.flac"))
        let path = directory.write(Array(whole[..<(whole.count / 2)]), to: "cut.flac")
        let reader = try WAVReader(AudioPath(path))
        var block = reader.makeBlock()
        var heard: [Float] = []
        let error = rejection {
            while try reader.read(into: &block) { block.withChannel(0) { heard += $0 } }
        }
        #expect(error?.kind == .badData)
        #expect(heard.count > 10000)
        let isWhatWasThere = heard == Array(sound.channels[0][..<heard.count])
        #expect(isWhatWasThere)
    }

    @Test func aHeaderNeverFilledIn() throws {
        _ = Sound.ramps(channelCount: 1, frameCount: 4000).makeFile("x.wav", in: directory, format: 0x10002)
        var bytes = try #require(directory.read("x.wav"))
        bytes.replaceSubrange(40..<44, with: [0, 0, 0, 0])
        let path = directory.write(bytes, to: "x.wav")
        let error = rejection { try WAVReader(AudioPath(path)) }
        #expect(error?.kind == .badData)
        #expect(error?.reason.contains("--raw") == true)
    }

    /// libsndfile closes a descriptor it could not open sound from; the next file may by then have its number.
    @Test func aBorrowedDescriptorStaysOpen() throws {
        let path = directory.write([1, 2, 3], to: "x")
        let descriptor = open(path, O_RDONLY)
        #expect(rejection { try WAVReader(descriptor: descriptor, path: AudioPath(path)) }?.kind == .badData)
        #expect(close(descriptor) == 0)
    }

    /// Root reads everything; the test then says nothing.
    @Test(.enabled(if: geteuid() != 0)) func noPermission() {
        let path = directory.write([1], to: "x.wav")
        chmod(path, 0)
        #expect(rejection { try WAVReader(AudioPath(path)) }?.kind == .noPermission)
    }

    @Test func controlCharactersInANameStayOnOneLine() {
        let error = rejection { try WAVReader(AudioPath("a\nb\u{1B}[31m.wav")) }
        #expect(error?.description == "a?b?[31m.wav: no such file; check the name")
    }
}

/// The ``AudioIOError`` that `body` throws; nil when it throws none.
func rejection<Result>(_ body: () throws -> Result) -> AudioIOError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? AudioIOError
    }
}
