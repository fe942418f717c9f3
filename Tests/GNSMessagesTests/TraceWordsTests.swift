import GNSMessages
import Nearby
import Testing

/// Tests of the log's lines, event by event.
@Suite struct TraceWordsTests {
    private static let (own, other) = (Token(bits: 1), Token(bits: 0xFFFF_FFFF_FFFF_FFFF))

    private static func turns(_ token: Token) -> MediumAssignment {
        MediumAssignment(
            broadcast: .init([.token(token)], cadence: .bursts(listening: .seconds(1)...(.seconds(2)))),
            isScanning: true)
    }

    /// The order matters, because one line may depend on earlier events.
    private static let story: [(trace: EngineTrace, lines: [String])] = [
        (.happened(.condition(.ready), on: .audio), []),
        (
            .happened(.condition(MediumCondition(broadcast: .poweredOff, scan: .forbidden)), on: .ble),
            ["BLE: No broadcast: poweredOff", "BLE: No scan: forbidden"]
        ),
        (.did(.assign(MediumAssignment(isScanning: true), to: .audio)), ["Audio: Scanning started"]),
        (.did(.assign(turns(own), to: .audio)), ["Audio: Broadcasting started"]),
        (.happened(.held, on: .audio), ["Audio: Broadcaster detected"]),
        (.happened(.sent, on: .audio), ["Audio: No broadcaster detected"]),
        (.happened(.sighted(Sighting(.token(own), on: .audio)), on: .audio), []),
        (
            .happened(.sighted(Sighting(.token(other), on: .audio)), on: .audio),
            ["Heard new token: {tokenId ____…, age 0.0 seconds, [audio]}"]
        ),
        (.happened(.sighted(Sighting(.token(other), on: .audio)), on: .audio), []),
        (
            .did(.report(complete)),
            [
                "RegisterDevice RPC request", "Report RPC request: 1 token(s), 0 beacon(s), 2 directive(s)",
                "Report RPC request: Subscribe: 1",
            ]
        ),
        (
            .answered(answer),
            [
                "RegisterDevice RPC: Success",
                "Report RPC response: 1 directive(s), 1 token(s), 1 message(s), 0 publication results(s), "
                    + "1 subscription results(s)",
                "Tokens: 1 good, 0 bad, 1 broadcast",
            ]
        ),
        (.notified(Answer()), []),
        (.notified(answer), ["Push: 1 message(s)"]),
        (
            .failed(.unreachable("no network")),
            ["Report RPC: Failed: the registry does not answer (no network): trying again"]
        ),
        (
            .did(.assign(.idle, to: .audio)),
            ["Audio: Broadcasting stopped", "Audio: Scanning stopped"]
        ),
        (.did(.report(unregistration)), ["Report RPC request: Goodbye"]),
    ]

    private static var complete: Report {
        var report = Report()
        report.isComplete = true
        report.observations = [TokenObservation(other, on: .audio, age: .zero)]
        report.subscribed = [OperationID(1): Subscription()]
        return report
    }

    private static var unregistration: Report {
        var report = Report()
        report.unregisters = true
        return report
    }

    private static var answer: Answer {
        var answer = Answer()
        answer.grants = [.init(own, on: .audio, timeToLive: .seconds(60))]
        answer.verdicts = [HeardToken(other, on: .audio): .valid]
        // swift-format-ignore: NeverUseForceTry
        let discovery = Discovery(id: PublicationID(bits: 1), message: try! Message("Anna"))
        answer.deliveries = [.init(.found, discovery, to: OperationID(1))]
        return answer
    }

    @Test func everyEventHasItsWords() {
        var words = TraceWords()
        for (trace, lines) in TraceWordsTests.story { #expect(words.take(trace) == lines) }
    }
}
