import AudioMedium
import Glibc
import Nearby
import NearbyOffline
import SetTopBox
import Synchronization
import TestSupport
import Testing

@testable import SetTopBoxService

/// Tests of the socket on which players read what to send.
@Suite(.timeLimit(.minutes(5))) struct PlayerSocketTests {
    private let folder = TemporaryDirectory()
    private let log = ServiceLog(level: .critical, hasPriorities: false)
    private let token = Sighting.Payload.token(Token(bits: 0x0123_4567_89ab_cdef))

    /// Returns true if a player reads this line. Lines that wait to go out when it connects come first.
    private func reads(_ line: String, _ player: Int32) -> Bool {
        for _ in 0..<3 where UnixClient.line(player) == line { return true }
        return false
    }

    private func text(
        _ payloads: [Sighting.Payload], _ cadence: MediumAssignment.Cadence = .continuous,
        _ settings: AudioMediumSettings = AudioMediumSettings()
    ) -> String {
        PlayerLine.text(for: .init(payloads, cadence: cadence), settings: settings)
    }

    @Test func linesOfBroadcasts() {
        #expect(PlayerLine.text(for: nil, settings: AudioMediumSettings()) == "silent")
        #expect(
            text([token]) == "send profile=dsss lane=3 every=0.0 jitter=0.0 tokens=0123456789abcdef")
        let other = Sighting.Payload.token(Token(bits: 0xfedc))
        #expect(text([token, other]).hasSuffix(" tokens=0123456789abcdef,000000000000fedc"))
        // A frame of dsss takes 1.2484 s.
        let bursts = text([token], .bursts(listening: .seconds(2)...(.seconds(5))))
        #expect(bursts.contains(" every=3.2") && bursts.contains(" jitter=3.0 "), "\(bursts)")
    }

    /// Sealed frames and tokens go by the sealed frames' profile.
    @Test func sealedFramesNeedTheirProfile() throws {
        let sealed = Sighting.Payload.sealed(
            try #require(SealedFrame(bytes: [UInt8](repeating: 7, count: 32))))
        let line = text([token, sealed], .continuous, .offline)
        #expect(line.hasPrefix("send profile=dsss-far lane=3 "))
        #expect(line.hasSuffix("tokens=0123456789abcdef,\(String(repeating: "07", count: 32))"))
        #expect(text([token], .continuous, .offline).hasPrefix("send profile=dsss "))
    }

    /// Whoever connects gets the present line, whenever that is, and then each new one.
    @Test func playersFollow() async throws {
        let path = folder.file("token.sock")
        let players = try PlayerSocket(path, log: log)
        var state = stat()
        #expect(stat(path, &state) == 0 && state.st_mode & 0o777 == 0o666)
        let first = UnixClient.connect(path)
        #expect(UnixClient.line(first) == "silent")
        players.send("one")
        players.send("one")
        players.send("two")
        #expect(UnixClient.line(first) == "one" && UnixClient.line(first) == "two")
        let second = UnixClient.connect(path)
        #expect(UnixClient.line(second) == "two")
        players.send("silent")
        for player in [first, second] { #expect(UnixClient.line(player) == "silent") }
        await players.end()
        for player in [first, second] {
            #expect(UnixClient.line(player) == "")
            close(player)
        }
        #expect(UnixClient.connect(path) < 0)
    }

    /// Another path is another socket, with the same line; a path that cannot be changes nothing.
    @Test func anotherPath() async throws {
        let (old, new) = (folder.file("old.sock"), folder.file("new.sock"))
        let players = try PlayerSocket(old, log: log)
        players.send("one")
        #expect(throws: MessageSocketError.self) { try players.prepare("/nope/x") }
        await players.commit(try players.prepare(old))
        let player = UnixClient.connect(old)
        #expect(reads("one", player))
        let change = try players.prepare(new)
        await players.abandon(try players.prepare(folder.file("third.sock")))
        #expect(access(folder.file("third.sock"), F_OK) != 0)
        await players.commit(change)
        #expect(UnixClient.line(player) == "")
        close(player)
        let again = UnixClient.connect(new)
        #expect(reads("one", again))
        close(again)
        await players.commit(try players.prepare(""))
        #expect(UnixClient.connect(new) < 0 && players.playerCount == 0)
    }

    /// An assignment is told before the medium has it, and the medium has it unchanged.
    @Test func assignmentsAreTold() async {
        let base = RecordingMedium()
        let told = ObservedMedium(base) { assignment in base.note("told \(assignment.isScanning)") }
        #expect(told.medium == .audio)
        await told.carryOut(MediumAssignment(isScanning: true))
        await told.carryOut(.idle)
        #expect(base.notes == ["told true", "carried out true", "told false", "carried out false"])
    }
}

private final class RecordingMedium: MediumDriver {
    let medium = Medium.audio
    private let shared = Mutex<[String]>([])
    var notes: [String] { shared.withLock { $0 } }

    func note(_ text: String) { shared.withLock { $0.append(text) } }
    func events() -> AsyncStream<MediumEvent> { AsyncStream { $0.finish() } }
    func carryOut(_ assignment: MediumAssignment) async { note("carried out \(assignment.isScanning)") }
}
