import AudioIO
import CSndFile
import Glibc
import TestSupport
import Testing

/// Tests that all existing sound is read, whatever the header says.
@Suite struct LyingHeaderTests {
    let directory = TemporaryDirectory()
    let sound = Sound.ramps(channelCount: 1, frameCount: 30_000)

    /// Reads the bytes as a file and through a pipe. Returns the remarks of both.
    @discardableResult
    func expectAll(_ bytes: [UInt8], _ expected: Sound, _ location: SourceLocation = #_sourceLocation) throws
        -> (file: [String], pipe: [String])
    {
        let reader = try WAVReader(AudioPath(directory.write(bytes, to: "x.wav")))
        #expect(reader.format.frameCount == expected.frameCount, sourceLocation: location)
        let fromFile = try Sound.read(from: reader)
        #expect(fromFile == expected, sourceLocation: location)
        let (fromPipe, remarks) = try Sound.readThroughPipe(bytes)
        #expect(fromPipe == expected, sourceLocation: location)
        return (reader.remarks, remarks)
    }

    /// Streams and dead recorders leave such sizes. A file is read to its end with a remark, a pipe without
    /// one.
    @Test(arguments: [0, 0x7FFF_F000, 0x7FFF_FF00, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFDB, 0xFFFF_FFFF])
    func noLength(announced: Int) throws {
        let remarks = try expectAll(LyingWAV(announced: announced).bytes(sound), sound)
        #expect(remarks.file.count == 1 && remarks.file[0].contains("read to the end"))
        #expect(remarks.pipe.isEmpty)
    }

    /// The size is wrong by any amount, also an odd one. The rest is sound, and a remark says so.
    @Test(arguments: [1, 2, 1001, 30_000, 59_990]) func tooSmall(announced: Int) throws {
        let remarks = try expectAll(LyingWAV(announced: announced).bytes(sound), sound)
        #expect(remarks.file.count == 1 && remarks.file[0].contains("are read too"))
        #expect(remarks.pipe.count == 1 && remarks.pipe[0].contains("is read too"))
    }

    @Test func tooLarge() throws {
        let remarks = try expectAll(LyingWAV(announced: 192_000).bytes(sound), sound)
        #expect(
            remarks.file == ["cut off: its header announces 2.0 s of sound, 0.6 s are there and were read"])
        #expect(remarks.pipe == ["ended after 0.6 s of the 2.0 s announced"])
    }

    /// The file is cut within a frame. All whole frames are read.
    @Test func cutInAFrame() throws {
        let stereo = Sound.ramps(channelCount: 2, frameCount: 500)
        let whole = LyingWAV(announced: 2000).bytes(stereo)
        let expected = Sound(channels: stereo.channels.map { Array($0[..<499]) })
        for missing in 1...3 { try expectAll(whole.dropLast(missing), expected) }
    }

    /// Chunks after the sound do not belong to it: known and unknown ones, with an odd size before them, or
    /// with a cut one among them.
    @Test func chunksBehind() throws {
        let list = LyingWAV.chunk("LIST", Array("INFOISFT".utf8) + LyingWAV.word(4) + Array("Lavf".utf8))
        let other = LyingWAV.chunk("abcd", [1, 2, 3])
        for after in [list, other, list + other + list, list.dropLast(5)] {
            let remarks = try expectAll(LyingWAV(announced: 60_000, after: after).bytes(sound), sound)
            #expect(remarks.file.isEmpty && remarks.pipe.isEmpty)
        }
    }

    @Test func chunksBehindAnOddSize() throws {
        let list = LyingWAV.chunk("LIST", Array("INFO".utf8))
        let shorter = Sound(channels: [Array(sound.channels[0].dropLast())])
        for padding in [[], [0]] as [[UInt8]] {
            var bytes = LyingWAV(announced: 59_999).bytes(sound)
            bytes = bytes.dropLast() + padding + list
            #expect(try expectAll(bytes, shorter).file.isEmpty)
        }
    }

    @Test func chunksBefore() throws {
        let before =
            LyingWAV.chunk("JUNK", [UInt8](repeating: 7, count: 99)) + LyingWAV.chunk("bext", [1, 2])
        try expectAll(LyingWAV(announced: 60_000, before: before).bytes(sound), sound)
    }

    /// The file is the result of `cat a.wav b.wav`.
    @Test func joinedRecordings() throws {
        let one = LyingWAV(announced: 60_000, after: LyingWAV.chunk("LIST", Array("INFO".utf8))).bytes(sound)
        let twice = Sound(channels: [sound.channels[0] + sound.channels[0]])
        #expect(try expectAll(one + one, twice).file.isEmpty)
    }

    @Test func joinedWithAnotherFormat() throws {
        let other = Sound.ramps(channelCount: 2, frameCount: 1000, sampleRateHz: 44_100)
        let bytes =
            LyingWAV(announced: 60_000).bytes(sound) + LyingWAV(announced: 4000).bytes(other)
        let remarks = try expectAll(bytes, sound)
        #expect(
            remarks.file == [
                "another recording in another format follows after the sound: 4000 bytes are not read"
            ])
        #expect(remarks.pipe.count == 1)
    }

    /// The true size is in `ds64`, or nowhere.
    @Test(arguments: ["RF64", "BW64"], [60_000, 0, UInt64.max]) func longSizes(id: String, size: UInt64)
        throws
    {
        let sizes = LyingWAV.long(.max) + LyingWAV.long(size) + LyingWAV.long(0) + LyingWAV.word(0)
        let list = LyingWAV.chunk("LIST", Array("INFO".utf8))
        let bytes = LyingWAV(
            announced: 0xFFFF_FFFF, before: LyingWAV.chunk("ds64", sizes), after: size == 60_000 ? list : [],
            id: id
        ).bytes(sound)
        let remarks = try expectAll(bytes, sound)
        #expect(remarks.file.isEmpty == (size == 60_000) && remarks.pipe.isEmpty)
    }

    /// Above 4 GiB the size has wrapped, and chunks may follow. The file has a hole in its middle.
    @Test(arguments: [false, true]) func wrapped(hasList: Bool) throws {
        let path = directory.write(LyingWAV(announced: 4000).bytes(Sound(channels: [[0.5]])), to: "x.wav")
        let file = open(path, O_WRONLY)
        let dataBytes = 1 << 32 + 4000
        #expect(ftruncate(file, off_t(44 + dataBytes)) == 0)
        let list = LyingWAV.chunk("LIST", Array("INFO".utf8))
        if hasList { #expect(pwrite(file, list, list.count, off_t(44 + dataBytes)) == list.count) }
        close(file)
        let reader = try WAVReader(AudioPath(path))
        #expect(reader.format.frameCount == dataBytes / 2)
        #expect(reader.remarks.count == 1)
    }

    @Test(arguments: [0x03_0002, 0x02_0002, 0x18_0002, 0x0B_0002], [0, 0xFF] as [UInt8])
    func otherContainers(format: Int, filling: UInt8) throws {
        _ = sound.makeFile("good", in: directory, format: format)
        var bytes = try #require(directory.read("good"))
        let place: Range<Int> =
            switch format {
            case 0x03_0002: 8..<12
            case 0x02_0002: try #require(LyingHeaderTests.find("SSND", bytes).map { $0 + 4..<$0 + 8 })
            case 0x18_0002: try #require(LyingHeaderTests.find("data", bytes).map { $0 + 4..<$0 + 12 })
            default: try #require(LyingHeaderTests.find("data", bytes).map { $0 + 16..<$0 + 24 })
            }
        for n in place { bytes[n] = filling }
        let remarks = try expectAll(bytes, sound)
        #expect(remarks.file.count == 1)
    }

    private static func find(_ name: String, _ bytes: [UInt8]) -> Int? {
        let name = Array(name.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: name) }
    }

    /// A FLAC's header announces less than there is.
    @Test func flacOfAWrongLength() throws {
        _ = sound.makeFile("x", in: directory, format: 0x17_0002)
        var bytes = try #require(directory.read("x"))
        bytes.replaceSubrange(22..<26, with: [0, 0, 1, 0])
        #expect(try Sound.readThroughPipe(bytes).sound == sound)
        #expect(try Sound.read(from: WAVReader(AudioPath(directory.write(bytes, to: "y")))) == sound)
    }

    @Test func aRateThatOverrulesTheHeader() throws {
        let path = directory.write(LyingWAV(announced: 60_000).bytes(sound), to: "x.wav")
        let reader = try WAVReader(AudioPath(path), rateHz: 44_100)
        #expect(reader.format.sampleRateHz == 44_100)
        #expect(reader.remarks == ["its header says 48000 Hz; read as 44100 Hz"])
    }
}
