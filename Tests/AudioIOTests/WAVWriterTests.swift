import AudioIO
import Glibc
import TestSupport
import Testing

@Suite struct WAVWriterTests {
    let directory = TemporaryDirectory()

    func write(
        _ sound: Sound, to name: String, encoding: SampleEncoding = .pcm16, announced: Int? = nil
    ) throws {
        let format = AudioFormat(
            sampleRateHz: sound.sampleRateHz, channelCount: sound.channels.count, frameCount: announced)
        let writer = try WAVWriter(AudioPath(directory.file(name)), format: format, encoding: encoding)
        try sound.write(to: writer)
        try writer.finish()
    }

    @Test(arguments: SampleEncoding.allCases, [1, 2, 5]) func roundTrip(
        encoding: SampleEncoding, channelCount: Int
    ) throws {
        let sound = Sound.ramps(channelCount: channelCount, frameCount: 50001, sampleRateHz: 96000)
        try write(sound, to: "x.wav", encoding: encoding, announced: 50001)
        let reader = try WAVReader(AudioPath(directory.file("x.wav")))
        #expect(
            reader.format == AudioFormat(sampleRateHz: 96000, channelCount: channelCount, frameCount: 50001))
        #expect(try Sound.read(from: reader) == sound)
        #expect(directory.names == ["x.wav"])
    }

    /// The header is that of the standard, byte for byte.
    @Test func sixteenBitHeader() throws {
        try write(Sound(channels: [[0.5, -1]]), to: "x.wav", announced: 2)
        let expected: [UInt8] =
            Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
            + [0x80, 0xBB, 0, 0, 0x00, 0x77, 1, 0, 2, 0, 16, 0] + Array("data".utf8) + [4, 0, 0, 0]
            + [0, 0x40, 0, 0x80]
        #expect(directory.read("x.wav") == expected)
    }

    @Test(arguments: [nil, 3, 9]) func theHeaderOfAFileTellsTheTrueLength(announced: Int?) throws {
        let sound = Sound.ramps(channelCount: 1, frameCount: 5)
        try write(sound, to: "x.wav", encoding: .pcm24, announced: announced)
        let reader = try WAVReader(AudioPath(directory.file("x.wav")))
        #expect(reader.format.frameCount == 5)
        #expect(try Sound.read(from: reader) == sound)
        #expect(directory.read("x.wav")?.count == 44 + 15 + 1)
    }

    @Test func beyondFullScaleClipsAndWhatIsNotANumberIsSilence() throws {
        try write(Sound(channels: [[2, -2, .nan, .infinity, -.infinity]]), to: "x.wav")
        let heard = try Sound.read(from: WAVReader(AudioPath(directory.file("x.wav"))))
        let most: Float = 32767 / 32768
        #expect(heard.channels == [[most, -1, 0, most, -1]])
    }

    @Test func aWriterLetGoLeavesNothing() throws {
        directory.write([1, 2, 3], to: "old.wav")
        for name in ["new.wav", "old.wav"] {
            let writer = try WAVWriter(
                AudioPath(directory.file(name)), format: AudioFormat(sampleRateHz: 48000, channelCount: 1))
            try writer.write(AudioBlock(mono: [Float](repeating: 0.1, count: 100_000)))
        }
        #expect(directory.names == ["old.wav"])
        #expect(directory.read("old.wav") == [1, 2, 3])
    }

    @Test func aFileIsReplacedWhole() throws {
        directory.write([UInt8](repeating: 7, count: 1000), to: "x.wav")
        try write(Sound(channels: [[0]]), to: "x.wav")
        #expect(directory.read("x.wav")?.count == 46)
    }

    /// The readers of the old file may read the new one, and nobody else may.
    @Test(arguments: [0o600, 0o644, 0o660] as [mode_t]) func aReplacedFileKeepsItsMode(mode: mode_t) throws {
        directory.write([7], to: "x.wav")
        chmod(directory.file("x.wav"), mode)
        try write(Sound(channels: [[0]]), to: "x.wav")
        var status = stat()
        #expect(stat(directory.file("x.wav"), &status) == 0 && status.st_mode & 0o7777 == mode)
        #expect(directory.read("x.wav")?.count == 46)
    }

    @Test(.enabled(if: geteuid() == 0)) func aReplacedFileKeepsItsOwner() throws {
        directory.write([7], to: "x.wav")
        chown(directory.file("x.wav"), 1234, 2345)
        try write(Sound(channels: [[0]]), to: "x.wav")
        var status = stat()
        #expect(stat(directory.file("x.wav"), &status) == 0)
        #expect(status.st_uid == 1234 && status.st_gid == 2345)
    }

    @Test func anOpenDescriptorIsWrittenToDirectly() throws {
        let end = open(directory.file("x.wav"), O_RDWR | O_CREAT, 0o600)
        defer { close(end) }
        let writer = try WAVWriter(
            AudioPath("/dev/fd/\(end)"),
            format: AudioFormat(sampleRateHz: 48000, channelCount: 1, frameCount: 1))
        try writer.write(AudioBlock(mono: [0.5]))
        try writer.finish()
        #expect(lseek(end, 0, SEEK_CUR) == 46)
    }

    @Test func aLinkKeepsItsName() throws {
        directory.write([7], to: "real.wav")
        try #require(symlink(directory.file("real.wav"), directory.file("link.wav")) == 0)
        try write(Sound(channels: [[0]]), to: "link.wav")
        var status = stat()
        #expect(lstat(directory.file("link.wav"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(directory.read("real.wav")?.count == 46)
    }

    @Test func permissionsFollowTheMask() throws {
        let mask = umask(0o022)
        defer { umask(mask) }
        try write(Sound(channels: [[0]]), to: "x.wav")
        var status = stat()
        #expect(stat(directory.file("x.wav"), &status) == 0 && status.st_mode & 0o777 == 0o644)
    }

    @Test func aPipeGetsTheAnnouncedLength() throws {
        let fifo = directory.file("fifo")
        try #require(mkfifo(fifo, 0o600) == 0)
        let end = open(fifo, O_RDWR)
        defer { close(end) }
        try write(Sound(channels: [[0.5]]), to: "fifo", announced: 1)
        try write(Sound(channels: [[0.5]]), to: "fifo")
        var bytes = [UInt8](repeating: 0, count: 92)
        #expect(Glibc.read(end, &bytes, 92) == 92)
        #expect(Array(bytes[40..<46]) == [2, 0, 0, 0, 0, 0x40])
        #expect(Array(bytes[86..<92]) == [255, 255, 255, 255, 0, 0x40])
    }
}

@Suite struct WAVWriterRejectionTests {
    let directory = TemporaryDirectory()
    let format = AudioFormat(sampleRateHz: 48000, channelCount: 1)

    func kind(_ path: String) -> AudioIOError.Kind? {
        rejection { try WAVWriter(AudioPath(path), format: format) }?.kind
    }

    @Test func placesWhereNoFileCanBe() {
        directory.write([1], to: "file")
        #expect(kind(directory.path) == .cannotCreate)
        #expect(kind(directory.file("none/x.wav")) == .cannotCreate)
        #expect(kind(directory.file("file/x.wav")) == .cannotCreate)
        #expect(kind("") == .cannotCreate)
        #expect(kind("/proc/x.wav") == .cannotCreate)
        #expect(directory.names == ["file"])
    }

    @Test(.enabled(if: geteuid() != 0)) func noPermission() {
        chmod(directory.path, 0o500)
        defer { chmod(directory.path, 0o700) }
        #expect(kind(directory.file("x.wav")) == .noPermission)
    }

    @Test func aNameTooLongLeavesNothing() {
        let error = rejection {
            let name = directory.file(String(repeating: "n", count: 300))
            let writer = try WAVWriter(AudioPath(name), format: format)
            try writer.finish()
        }
        #expect(error?.kind == .cannotCreate)
        #expect(directory.names == [])
    }

    @Test func moreThanAWAVHolds() {
        let long = AudioFormat(sampleRateHz: 48000, channelCount: 2, frameCount: 1 << 31)
        let error = rejection { try WAVWriter(AudioPath(directory.file("x.wav")), format: long) }
        #expect(error?.kind == .cannotCreate)
    }

    @Test func aFullDisk() {
        let error = rejection {
            let writer = try WAVWriter(AudioPath("/dev/full"), format: format)
            try writer.write(AudioBlock(mono: [Float](repeating: 0, count: 100_000)))
            try writer.finish()
        }
        #expect(error?.kind == .inputOutput)
        #expect(error?.description.hasPrefix("/dev/full: writing failed: No space left") == true)
    }

    /// As on a full disk, the process may not write more than 64 KiB to a regular file.
    @Test func aFileThatCannotGrowLeavesNothing() async {
        await #expect(processExitsWith: .success) {
            let directory = TemporaryDirectory()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 65536, rlim_max: 65536)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let error = rejection {
                let writer = try WAVWriter(
                    AudioPath(directory.file("x.wav")),
                    format: AudioFormat(sampleRateHz: 48000, channelCount: 1))
                try writer.write(AudioBlock(mono: [Float](repeating: 0, count: 100_000)))
                try writer.finish()
            }
            #expect(error?.kind == .inputOutput)
            #expect(directory.names == [])
        }
    }

    @Test func dashIsTheStandardStream() {
        #expect(AudioPath("-") == .standardStream)
        #expect(AudioPath("./-") == .file("./-"))
        #expect("\(AudioPath("-"))" == "-")
    }
}
