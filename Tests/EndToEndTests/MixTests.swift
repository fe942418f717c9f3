import AcousticModem
import AudioIO
import Glibc
import TestSupport
import Testing

@testable import nearby_modem

/// Tests of the copy of a programme: nothing of it is lost, and the token is heard in it.
@Suite struct MixTests {
    let command = Command()

    func mix(_ arguments: String..., programme: String = "p.wav", to output: String = "t.wav")
        -> Command.Outcome
    {
        command.run(["encode", "--token", "cafe", "--mix", programme, "-o", output] + arguments)
    }

    /// Returns the seconds at which tokens begin in a file.
    func heard(_ name: String = "t.wav") -> [Double] {
        command.run("decode", name, "--profile", "dsss").lines.compactMap { line in
            let words = line.split(separator: " ")
            return words.contains("cafe") ? Double(words[1]) : nil
        }.sorted()
    }

    func tokenFrames(_ sampleRateHz: Int) throws -> Int {
        try Transmitter(profile: .dsss, sampleRateHz: Double(sampleRateHz)).waveform(of: [0xCA, 0xFE]).count
    }

    @Test(arguments: ProgrammeFile.all) func aCopyIsFaithful(file: ProgrammeFile) throws {
        let programme = file.bytes
        command.directory.write(programme, to: "p.wav")
        let outcome = mix("--at", "1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("1 token at -38.0 dBFS\n"))
        let channel = file.lowFrequencyChannel.map { "channel \($0 + 1) is for low frequencies" }
        #expect(
            outcome.errors.contains(channel ?? "dBFS") && outcome.errorLines.count == (channel == nil ? 1 : 2)
        )
        #expect(outcome.errors.contains("states no speaker layout") == (file.name.contains("without names")))
        let mixed = try #require(command.directory.read("t.wav"))
        try check(mixed, against: programme, file)
        #expect(heard() == [1])
    }

    /// Checks that all bytes are the programme's, except those of the token's frames in channels that take
    /// it.
    func check(_ mixed: [UInt8], against programme: [UInt8], _ file: ProgrammeFile) throws {
        try #require(mixed.count == programme.count)
        let sampleBytes = file.bits / 8
        let start = file.head.count + file.sampleRateHz * file.bytesPerFrame
        let end = start + (try tokenFrames(file.sampleRateHz)) * file.bytesPerFrame
        var changed = [Int](repeating: 0, count: file.channelCount)
        var strays = 0
        for n in mixed.indices where mixed[n] != programme[n] {
            guard (start..<end).contains(n) else {
                strays += 1
                continue
            }
            changed[(n - start) % file.bytesPerFrame / sampleBytes] += 1
        }
        #expect(strays == 0)
        for channel in changed.indices {
            #expect((changed[channel] > 1000) == (channel != file.lowFrequencyChannel), "channel \(channel)")
        }
        guard let validBits = file.validBits else { return }
        let unused = (1 << (file.bits - validBits)) - 1
        let samples = stride(from: start, to: end, by: sampleBytes)
        #expect(samples.allSatisfy { (Int(mixed[$0]) | Int(mixed[$0 + 1]) << 8) & unused == 0 })
    }

    @Test func byPipeItIsTheSame() throws {
        let file = ProgrammeFile.all[2]
        command.directory.write(file.bytes, to: "p.wav")
        #expect(mix("--at", "1").status == 0)
        let piped = command.run(
            ["encode", "--token", "cafe", "--mix", "-", "--at", "1", "-o", "-"],
            input: command.directory.read("p.wav") ?? [])
        #expect(piped.status == 0)
        let isSame = piped.output == command.directory.read("t.wav")
        #expect(isSame)
    }

    /// Recorders and streams write such sizes if they do not know better; others are wrong.
    @Test(arguments: [0, 0x7FFF_FF00, 0x8000_0000, 0xFFFF_FFFF, 300_000, 1000]) func aHeaderIsNotBelieved(
        size: Int
    ) throws {
        let right = ProgrammeFile(name: "").bytes
        var wrong = right
        for at in [4, 40] { wrong.replaceSubrange(at..<at + 4, with: ProgrammeFile.little(size, 4)) }
        command.directory.write(wrong, to: "p.wav")
        #expect(
            mix("--at", "1").errors.contains("its header says \(size) bytes of sound, and there are 240000"))
        let mixed = try #require(command.directory.read("t.wav"))
        #expect(mixed.count == right.count && Array(mixed[..<44]) == Array(right[..<44]))
        #expect(heard() == [1])
        let piped = command.run(
            ["encode", "--token", "cafe", "--mix", "-", "--at", "1", "-o", "u.wav"], input: wrong)
        #expect(piped.status == 0)
        let copied = try #require(command.directory.read("u.wav"))
        #expect(Array(copied.suffix(240_000)) == Array(mixed.suffix(240_000)))
        #expect(heard("u.wav") == [1])
    }

    /// The recording's size wrapped at 4 GiB. It is nearly all silence, which takes no room on the disk.
    @Test func over4GiBItBecomesRF64() throws {
        let dataBytes = 1 << 32 + 8_000_000
        var file = ProgrammeFile(name: "", channelCount: 8)
        file.seconds = 0
        var head = file.head
        head.replaceSubrange(head.count - 4..<head.count, with: ProgrammeFile.little(dataBytes, 4))
        let cue = ProgrammeFile.chunk("cue ", [UInt8](1...28))
        command.directory.write(head, to: "p.wav")
        let raw = open(command.directory.file("p.wav"), O_WRONLY)
        defer { close(raw) }
        try #require(pwrite(raw, cue, cue.count, off_t(head.count + dataBytes)) == cue.count)
        let outcome = mix("--at", "1")
        #expect(outcome.status == 0, "\(outcome.errors)")
        let copy = open(command.directory.file("t.wav"), O_RDONLY)
        defer { close(copy) }
        var (start, end) = ([UInt8](repeating: 0, count: 80), [UInt8](repeating: 0, count: cue.count))
        #expect(pread(copy, &start, 80, 0) == 80)
        #expect(pread(copy, &end, cue.count, off_t(80 + dataBytes)) == cue.count && end == cue)
        #expect(
            Array(start[..<20]) == Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVEds64".utf8) + [
                28, 0, 0, 0,
            ])
        #expect(
            Array(start[20..<36]) == ProgrammeFile.little(dataBytes + 72 + cue.count, 8)
                + ProgrammeFile.little(dataBytes, 8))
        var status = stat()
        #expect(fstat(copy, &status) == 0 && status.st_blocks * 512 < 20_000_000)
    }

    // MARK: Places

    @Test func atSeveralPlaces() {
        command.directory.write(ProgrammeFile(name: "", seconds: 9).bytes, to: "p.wav")
        #expect(mix("--at", "6.5", "--at", "1,4").status == 0)
        #expect(heard() == [1, 4, 6.5])
    }

    @Test func untilTheProgrammeEnds() {
        command.directory.write(ProgrammeFile(name: "", seconds: 6).bytes, to: "p.wav")
        #expect(mix("--until-end", "--at", "0.5", "--gap", "0.25").errors.contains("3 tokens at"))
        #expect(heard() == [0.5, 2, 3.5])
        let piped = command.run(
            ["encode", "--token", "cafe", "--mix", "-", "--until-end", "-o", "t.wav"],
            input: command.directory.read("p.wav") ?? [])
        #expect(piped.status == 0)
        #expect(heard().count == 4)
    }

    @Test(arguments: [["--at", "2"], ["--repeat", "3"], ["--at", "7"], ["--until-end", "--at", "2"]])
    func withoutRoomThereIsNoCopy(arguments: [String]) {
        command.directory.write(ProgrammeFile(name: "", seconds: 3).bytes, to: "p.wav")
        let outcome = command.run(["encode", "--token", "cafe", "--mix", "p.wav", "-o", "t.wav"] + arguments)
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("p.wav: is 3.00 s long, and a token of 1.25 s at "))
        #expect(command.directory.names == ["p.wav"])
    }

    @Test func thingsThatDoNotGoTogether() {
        command.directory.write(ProgrammeFile(name: "", seconds: 3).bytes, to: "p.wav")
        for arguments in [
            ["--at", "0,1"], ["--at", "-1"], ["--at", "x"], ["--at", ""], ["--until-end", "--at", "0,2"],
            ["--until-end", "--repeat", "2"],
        ] {
            let outcome = command.run(
                ["encode", "--token", "cafe", "--mix", "p.wav", "-o", "t.wav"] + arguments)
            #expect(outcome.status == 64, "\(arguments)")
            #expect(outcome.errorLines.count == 1)
        }
        #expect(command.run("encode", "--token", "cafe", "--at", "1", "-o", "t.wav").status == 64)
        #expect(command.directory.names == ["p.wav"])
    }

    @Test func aProgrammeThatCannotHoldTheBand() {
        command.directory.write(ProgrammeFile(name: "", sampleRateHz: 22_050).bytes, to: "p.wav")
        let outcome = mix()
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("p.wav: at 22050 Hz it cannot hold 18.5–20.0 kHz; resample it"))
        #expect(command.directory.names == ["p.wav"])
    }

    // MARK: Levels

    @Test func theLevelThatIsAskedFor() {
        command.directory.write(ProgrammeFile(name: "").bytes, to: "p.wav")
        #expect(mix("--level", "-20").errors == "nearby-modem: 1 token at -20.0 dBFS\n")
        #expect(heard() == [0])
    }

    /// The command counts the token's losses at full scale, and turns nothing down.
    @Test func lossesAtFullScaleAreCounted() throws {
        command.directory.write(ProgrammeFile(name: "", amplitude: 0.9999).bytes, to: "p.wav")
        let errors = mix("--level", "-20").errors
        #expect(
            errors.contains(
                " of 60000 samples reach full scale, where the token is clipped; turn the programme down by 1 dB"
            ))
        #expect(heard() == [0])
    }

    @Test func aProgrammeAtFullScaleHasNoRoom() {
        let file = ProgrammeFile(name: "", tag: 3, bits: 32)
        let samples = (0..<file.frameCount).flatMap { _ in ProgrammeFile.little(Int(Float(1.5).bitPattern), 4)
        }
        command.directory.write(file.head + samples, to: "p.wav")
        let outcome = mix()
        #expect(outcome.status == 65)
        #expect(outcome.errors.contains("p.wav: is at full scale where the token should be"))
        #expect(command.directory.names == ["p.wav"])
    }
}
