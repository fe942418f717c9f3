import AudioIO
import TestSupport
import Testing

/// Tests that an output's name selects its format.
@Suite struct SoundFormatTests {
    let command = Command()

    /// Returns true if two files have the same samples.
    func isSame(_ one: String, _ other: String) throws -> Bool { try samples(one) == samples(other) }

    private func samples(_ name: String) throws -> [[Float]] {
        let reader = try WAVReader(AudioPath(command.directory.file(name)))
        var channels = [[Float]](repeating: [], count: reader.format.channelCount)
        var block = reader.makeBlock()
        while try reader.read(into: &block) {
            for index in channels.indices { block.withChannel(index) { channels[index] += $0 } }
        }
        return channels
    }

    @Test func aFLACIsAFLAC() throws {
        for name in ["t.flac", "t.FLAC", "t.wav", "t", "t.WAV"] {
            #expect(command.run("encode", "--token", "cafe", "-o", name).status == 0)
            let isFLAC = command.directory.read(name)?.starts(with: Array("fLaC".utf8)) ?? false
            #expect(isFLAC == name.lowercased().hasSuffix(".flac"), "\(name)")
        }
        #expect(try isSame("t.flac", "t.wav"))
    }

    @Test(arguments: ["t.mp3", "t.ogg", "t.aiff", "t.caf", "t.part", "d.flac/t.opus"])
    func whatIsNotWrittenIsRefused(name: String) {
        let outcome = command.run("encode", "--token", "cafe", "-o", name)
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("\(name): a name that ends in .") && outcome.errorLines.count == 1)
        #expect(command.directory.names.isEmpty)
    }

    /// All commands that write sound or pictures choose the format by the name.
    @Test func theOtherCommandsToo() {
        #expect(command.run("encode", "--token", "cafe", "-o", "t.wav").status == 0)
        #expect(command.run("channel", "t.wav", "-o", "c.flac").status == 0)
        #expect(command.run("decode", "c.flac").status == 0)
        #expect(command.directory.read("c.flac")?.starts(with: Array("fLaC".utf8)) == true)
        for words in [
            "channel t.wav -o x.mp3", "probe --write x.ogg", "plot t.wav -o x.jpg", "plot t.wav -o x.wav",
            "listen --device null --for 0.1 --record x.flac",
        ] {
            let outcome = command.run(words.split(separator: " ").map(String.init))
            #expect(outcome.status == 64, "\(words): \(outcome.errors)")
        }
        #expect(command.directory.names == ["c.flac", "t.wav"])
    }

    /// After FLAC and back the samples are those of the WAV that is mixed directly.
    @Test(arguments: [(8, 1), (16, 2), (24, 6)]) func aProgrammeGoesThroughFLAC(bits: Int, channelCount: Int)
        throws
    {
        let file = ProgrammeFile(name: "", bits: bits, channelCount: channelCount, seconds: 3)
        command.directory.write(file.bytes, to: "p.wav")
        func mix(_ from: String, _ to: String, at second: String) -> Command.Outcome {
            command.run("encode", "--token", "cafe", "--mix", from, "--at", second, "-o", to)
        }
        #expect(mix("p.wav", "once.flac", at: "0").status == 0)
        #expect(mix("once.flac", "twice.flac", at: "1.5").status == 0)
        #expect(mix("once.flac", "twice.wav", at: "1.5").status == 0)
        #expect(mix("p.wav", "once.wav", at: "0").status == 0)
        #expect(try isSame("once.flac", "once.wav"))
        #expect(try isSame("twice.flac", "twice.wav"))
        #expect(try !isSame("twice.wav", "once.wav"))
        #expect(command.run("decode", "twice.flac").lines.count == 2)
        let piped = command.run(
            ["encode", "--token", "cafe", "--mix", "-", "--at", "1.5", "-o", "-"],
            input: command.directory.read("once.flac") ?? [])
        command.directory.write(piped.output, to: "piped.wav")
        #expect(try isSame("piped.wav", "twice.wav"))
    }

    /// Chunks that a FLAC has no place for are named; titles are kept.
    @Test func whatAFLACDoesNotHoldIsNamed() throws {
        let title = ProgrammeFile.chunk(
            "LIST", Array("INFO".utf8) + ProgrammeFile.chunk("INAM", Array("a title".utf8)))
        let file = ProgrammeFile(
            name: "", before: ProgrammeFile.chunk("bext", [UInt8](repeating: 0, count: 602)) + title,
            after: ProgrammeFile.chunk("cue ", [UInt8](1...28)))
        command.directory.write(file.bytes, to: "p.wav")
        let outcome = command.run("encode", "--token", "cafe", "--mix", "p.wav", "-o", "t.flac")
        #expect(outcome.status == 0)
        #expect(outcome.errors.contains("p.wav: not copied, for the output has no place for it: bext, cue\n"))
        let flac = try #require(command.directory.read("t.flac"))
        #expect(flac.firstRange(of: Array("a title".utf8)) != nil)
    }

    @Test(arguments: [(3, 32), (3, 64), (1, 32)]) func whatAFLACCannotHoldIsRefused(tag: Int, bits: Int) {
        command.directory.write(ProgrammeFile(name: "", tag: tag, bits: bits).bytes, to: "p.wav")
        let outcome = command.run("encode", "--token", "cafe", "--mix", "p.wav", "-o", "t.flac")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("t.flac: a FLAC holds no "))
        #expect(command.directory.names == ["p.wav"])
    }
}
