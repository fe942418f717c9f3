import Glibc
import TestSupport
import Testing

/// Tests that no command writes over a file that it reads, however the two names are spelled.
@Suite struct OverwriteTests {
    let command = Command()

    /// Each command that reads a sound file and writes another one; `IN` and `OUT` are the same file.
    static let commands = [
        ["plot", "IN", "-o", "OUT"], ["channel", "IN", "-o", "OUT"],
        ["channel", "other.wav", "--programme", "IN:0", "-o", "OUT"],
        ["channel", "other.wav", "--room", "measured:IN", "-o", "OUT"],
        ["encode", "--text", "x", "--mix", "IN", "-o", "OUT"], ["probe", "--file", "IN", "-o", "OUT"],
    ]

    /// Makes a recording under several names. Returns its bytes.
    func prepare() throws -> [UInt8] {
        #expect(command.run("encode", "--text", "x", "-o", "in.wav").status == 0)
        #expect(command.run("encode", "--text", "x", "-o", "other.wav").status == 0)
        try #require(symlink("in.wav", command.directory.file("soft.wav")) == 0)
        try #require(link(command.directory.file("in.wav"), command.directory.file("hard.wav")) == 0)
        return try #require(command.directory.read("in.wav"))
    }

    @Test(arguments: commands, ["in.wav", "./in.wav", "soft.wav", "hard.wav", "../HERE/in.wav"])
    func byAnotherName(arguments: [String], name: String) throws {
        let recording = try prepare()
        let here = command.directory.path.split(separator: "/").last.map(String.init) ?? ""
        let output = name.replacing("HERE", with: here)
        let outcome = command.run(
            arguments.map { $0.replacing("IN", with: "in.wav").replacing("OUT", with: output) })
        #expect(outcome.status == 64)
        #expect(
            outcome.errors == "nearby-modem: \(output): is the same file as in.wav, which is read; "
                + "name another file to write\n")
        #expect(command.directory.read("in.wav") == recording)
        #expect(command.directory.names == ["hard.wav", "in.wav", "other.wav", "soft.wav"])
    }

    /// A shell has opened these descriptors.
    @Test(arguments: [
        "plot - -o in.wav < in.wav", "plot in.wav -o /dev/stdout 1<> in.wav", "plot in.wav -o - >> in.wav",
        "channel - -o /dev/fd/3 < in.wav 3<> hard.wav", "encode --text x --mix /dev/stdin -o in.wav < in.wav",
    ]) func byADescriptor(words: String) throws {
        let recording = try prepare()
        var shell = command
        shell.program = "/bin/sh"
        let outcome = shell.run("-c", "\(Command.program) \(words)")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("is the same file as"))
        #expect(command.directory.read("in.wav") == recording)
    }

    /// Sound would be played over this key.
    @Test func aKeyIsNotPlayedOver() throws {
        var nearby = command
        nearby.program = Command.path(of: "nearby")
        #expect(nearby.run("offline", "create", "shop", "-o", "key.wav").status == 0)
        let key = try #require(command.directory.read("key.wav"))
        let outcome = nearby.run(
            "publish", "hello", "--offline", "key.wav", "--playback", "./key.wav", "--seconds", "1")
        #expect(outcome.status == 64)
        #expect(outcome.errors.contains("./key.wav: is the same file as key.wav"))
        #expect(command.directory.read("key.wav") == key)
    }

    /// A file without contents may be both input and output.
    @Test func aDeviceIsNoFile() {
        let outcome = command.run("encode", "--text", "x", "--mix", "/dev/null", "-o", "/dev/null")
        #expect(outcome.status == 65)
    }
}
