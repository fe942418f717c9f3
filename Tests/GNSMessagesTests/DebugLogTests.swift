import GNSMessages
import Nearby
import Testing

/// Tests of the log's words, which help to support an app.
@Suite struct DebugLogTests {
    private let world = World()

    @Test func speaksTheOriginalsVocabulary() async {
        GNSMessageManager.setDebugLoggingEnabled(true)
        let (anna, bert) = (world.device(media: [.audio: .ready, .ble: .ready]), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let record = Record()
        var subscription = one.subscription(
            messageFoundHandler: record.found, messageLostHandler: nil,
            paramsBlock: { params in
                params?.strategy = GNSStrategy(paramsBlock: { params in
                    params?.discoveryMediums = .BLE
                    params?.allowInBackground = true
                })
            })
        var heard = one.subscription(to: record)
        let publication = other.publication(with: GNSMessage("Bert"))
        await eventually { record.foundTexts == ["Bert"] }
        for line in [
            "Server URL: in-process, path: /", "Device ID: (null)",
            "Subscribe (mediums: 2, broadcast/scan: 3, beacons: 0/1/1, background: 1)",
            "Subscribe (mediums: 3, broadcast/scan: 3, beacons: 0/1/1, background: 0)",
            "RegisterDevice RPC request", "RegisterDevice RPC: Success", "Report RPC request: Subscribe: 1",
            "Audio: Broadcasting started", "BLE: Scanning started",
        ] { await eventually("\(line)") { anna.lines.contains(line) } }
        await eventually { bert.lines.contains("Publish (mediums: 3, broadcast/scan: 3, background: 0)") }
        for words in [
            "Heard new token: {tokenId ", "Tokens: 1 good, 0 bad, ", " broadcast", "[audio]",
            " token(s), 0 beacon(s), ",
        ] {
            await eventually("\(words)") { anna.lines.containsLine(with: words) }
        }
        (subscription, heard) = (nil, nil)
        _ = (subscription, heard)
        await eventually { anna.lines.contains("BLE: Broadcasting stopped") }
        withExtendedLifetime((one, other, publication)) {}
    }

    /// The log shows no whole tokens, because its readers could send them, and no contents, which are
    /// private.
    @Test func showsNeitherTokensNorContents() async {
        GNSMessageManager.setDebugLoggingEnabled(true)
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager("secret key"), bert.manager("secret key"))
        let record = Record()
        let subscription = one.subscription(to: record)
        let publication = other.publication(with: GNSMessage("secret", type: "hidden"))
        await eventually { record.foundTexts == ["secret"] }
        await eventually { anna.lines.containsLine(with: "Heard new token") }
        let tokens = [anna, bert].compactMap { $0.audio.assignment.broadcast?.token?.description }
        #expect(tokens.count == 2)
        for line in anna.lines.all + bert.lines.all {
            #expect(!line.contains("secret") && !line.contains("hidden"))
            #expect(!tokens.contains { line.contains($0) })
        }
        withExtendedLifetime((one, other, subscription, publication)) {}
    }
}
