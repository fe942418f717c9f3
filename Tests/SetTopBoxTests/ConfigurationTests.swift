import CommandOutput
import Glibc
import Nearby
import NearbyOffline
import SetTopBox
import TestSupport
import Testing

@testable import SetTopBoxService

/// Tests of the values of a configuration file, and of the box's configuration that they give.
@Suite struct ConfigurationTests {
    private let folder = TemporaryDirectory()

    private func parse(_ text: String) throws(ConfigurationFileError) -> ServiceConfiguration {
        try ConfigurationFile.parse(Array(text.utf8), of: "f")
    }

    private func box(_ text: String, key: String? = "k") throws -> BoxConfiguration {
        try parse(text).box { $0 == "NEARBY_KEY" ? key : nil }
    }

    private func problem(_ text: String, key: String? = "k") -> String {
        do {
            _ = try box(text, key: key)
            return "nothing"
        } catch { return (error as? CommandFailure)?.message ?? "\(error)" }
    }

    /// The printed configuration contains all defaults, and explains each key.
    @Test func whatIsPrintedIsTheDefaults() throws {
        let text = ServiceConfiguration().commented
        #expect(try parse(text) == ServiceConfiguration())
        let entries = try TOMLReader.read(Array(text.utf8))
        #expect(entries.map(\.path) == Setting.all.map(\.path))
        #expect(Set(Setting.all.map(\.path)).count == Setting.all.count)
        #expect(Setting.all.allSatisfy { !$0.about.isEmpty && $0.about.allSatisfy { $0.count <= 100 } })
        #expect(try parse("") == ServiceConfiguration())
    }

    /// Every value can be changed, is read back unchanged, and is reported as changed.
    @Test func everyKeyIsReadAndPrinted() throws {
        let texts: [String: String] = [
            "audio.profile": "\"fsk\"", "log.level": "\"debug\"", "token.rotation-seconds": "[20.0, 30.5]",
        ]
        for setting in Setting.all {
            let other: String
            switch setting.value(ServiceConfiguration()) {
            case .text: other = texts[setting.path] ?? "\"a \\\"b\\\" \\\\ \\u0009 é\""
            case .integer: other = "7"
            case .number: other = setting.path == "audio.level-dbfs" ? "-12.5" : "3.5"
            case .boolean: other = "false"
            case .list: other = texts[setting.path] ?? "[\"a\", \"b\\n\"]"
            case .other: other = "?"
            }
            let changed = try parse("\(setting.path) = \(other)")
            #expect(changed != ServiceConfiguration(), "\(setting.path)")
            #expect(ServiceConfiguration().differences(to: changed) == [setting.path])
            #expect(try parse(changed.commented) == changed, "\(setting.path)")
        }
    }

    @Test(arguments: [
        ("[audio]\nlevle-dbfs = 1", "f:2: audio.levle-dbfs: there is no such key: perhaps audio.level-dbfs"),
        ("audio.level-dbfs = 1", "f:1: audio.level-dbfs: expected a number from -60.0 to 0.0, not 1"),
        ("audio.level-dbfs = nan", "expected a number from -60.0 to 0.0, not nan"),
        ("audio = 1", "f:1: audio: there is no such key"),
        ("\"audio.profile\" = \"dsss\"", "there is no such key"),
        ("audio.profile = 3", "expected a text, not 3"),
        ("receive.types = [1]", "expected a list of texts, not a list"),
        ("receive.enabled = \"yes\"", "expected true or false, not \"yes\""),
        ("deliver.at-once = 0", "expected a whole number from 1 to 64, not 0"),
        ("deliver.at-once = 1.0", "expected a whole number"),
        ("token.rotation-seconds = [60, 30]", "the smaller one first"),
        ("quiet.hours = 1979-05-27", "expected a list of texts, not a date or time"),
        ("log.level = \"loud\"", "expected one of debug, info, notice, warning, error"),
        ("announce.text = \"a\\u0000b\"", "expected a text"),
        ("[audio", "f:1: a table's name must end with ]"),
        ("[[audio]]\nplayback = \"x\"", "f:1: audio: there is no such key"),
        ("x = {playback = 1}", "x.playback: there is no such key"),
        ("audio.profile = \"dss\"", "audio.profile: there is no 'dss': perhaps dsss"),
        ("audio.profile = \"fsk2\"", "carries no token of a box"),
        ("audio.playback = \"\"", "audio.playback: expected a loudspeaker"),
        ("quiet.hours = [\"22:00-07:00\"]", "quiet.time-zone: quiet.hours need a time zone"),
        ("quiet = {hours = [\"22-7\"], time-zone = \"UTC\"}", "quiet.hours: '22-7' is no range of hours"),
        ("quiet = {hours = [\"22:00-07:00\"], time-zone = \"Mars\"}", "quiet.time-zone: there is no"),
        ("announce.type = \"\(String(repeating: "x", count: 33))\"", "announce: a type has at most 32"),
        ("announce.text = \"\"\nreceive.enabled = false", "receive.enabled: a box that says nothing"),
        ("server.key = \"a\"\nserver.key-file = \"b\"", "either this or server.key"),
        ("server.key-file = \"/nope\"", "server.key-file: /nope: no such file"),
        ("server.key-file = \"credential:key\"", "systemd provided no credentials"),
        ("offline.key-file = \"/nope\"", "offline.key-file: /nope: no such file"),
        ("offline.signer-file = \"/nope\"", "need offline.key-file"),
        ("deliver.on-message = [\"cat\"]", "must be an absolute path"),
        ("deliver.on-message = [\"/nope\"]", "deliver.on-message: /nope: No such file"),
        ("deliver.socket = \"/\(String(repeating: "x", count: 107))\"", "107 bytes, not 108"),
        ("token.socket = \"/\(String(repeating: "x", count: 107))\"", "token.socket: the path must"),
        ("token.socket = \"/a\"\ndeliver.socket = \"/a\"", "another path than deliver.socket's, '/a'"),
        ("metrics.file = \"/tmp/x\"", "must end in .prom"),
    ])
    func whatDoesNotDo(text: String, words: String) {
        let problem = problem(text)
        #expect(problem.contains(words), "\(text): \(problem)")
        #expect(!problem.contains("\n"), "\(problem)")
    }

    @Test func aKeyIsNeeded() {
        #expect(problem("", key: nil).contains("server.key: there is none"))
        #expect(problem("server.key = \"k\"", key: nil) == "nothing")
    }

    @Test func whatABoxMakesOfIt() throws {
        let plain = try box("")
        #expect(plain.announcement?.text == "set-top box" && plain.receives == .everything)
        #expect(plain.strategy == Strategy(media: [.audio], mode: .broadcast))
        #expect(plain.rotation == .seconds(60)...(.seconds(300)))
        #expect(plain.mediumSettings.sealedProfile == nil)
        let listening = try box(
            "audio.capture = \"hw:1\"\nreceive.types = [\"a\", \"b\"]\nreceive.namespace = \"n\"")
        #expect(listening.strategy.mode == .both)
        #expect(listening.receives == .types(["a", "b"], namespace: "n"))
        let key = folder.write(Array("  secret \n".utf8), to: "key")
        chmod(key, 0o600)
        let registry = try box("server.key-file = \"\(key)\"").registry
        #expect(registry == .server(.init(url: "http://127.0.0.1:8480", apiKey: "secret")))
    }

    /// Without a server the box receives messages by sound, which takes a microphone. Its own message must be
    /// short.
    @Test func withoutAServer() throws {
        var random = SystemRandomNumberGenerator()
        let file = folder.write(
            Array(OfflineProject(name: "shop", random: &random).keyFile.utf8), to: "shop.key")
        chmod(file, 0o600)
        let offline = "offline.key-file = \"\(file)\"\n"
        #expect(problem(offline).contains("audio.capture: without a server a message is heard"))
        #expect(problem(offline + "receive.enabled = false") == "nothing")
        #expect(try box(offline + "audio.capture = \"default\"").mediumSettings.sealedProfile == .dsssFar)
        let long = "announce.text = \"\(String(repeating: "x", count: 256))\"\nreceive.enabled = false"
        #expect(problem(offline + long).contains("announce.text: without a server it goes by sound"))
        #expect(
            problem(offline + "offline.publishers = [\"abc\"]\naudio.capture = \"x\"").contains(
                "43 characters"))
        let noise = folder.write(Array("noise".utf8), to: "noise")
        chmod(noise, 0o600)
        #expect(problem("offline.key-file = \"\(noise)\"").contains("is not a project's key"))
    }
}
