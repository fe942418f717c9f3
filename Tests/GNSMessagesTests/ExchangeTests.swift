import Foundation
import GNSMessages
import Nearby
import Testing

/// Tests of messages from one device to another, from found to lost.
@Suite struct ExchangeTests {
    private let world = World()

    @Test func whatOnePublishesAnotherFinds() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let record = Record()
        let subscription = other.subscription(to: record)
        let publication = one.publication(with: GNSMessage("Anna", type: "name"))
        await eventually { record.foundTexts == ["Anna"] }
        await eventually { publication?.status == .active && subscription?.status == .active }
        #expect(record.values("found", as: GNSMessage.self).map(\.type) == ["name"])
        #expect(record.areAllOnMain)
        withExtendedLifetime((one, other, publication, subscription)) {}
    }

    @Test func releasedIsLostWithTheObjectItWasFoundWith() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let record = Record()
        let subscription = other.subscription(to: record)
        var publication = one.publication(with: GNSMessage("Anna"))
        await eventually { record.foundTexts == ["Anna"] }
        publication = nil
        await eventually { record.lostTexts == ["Anna"] }
        let (found, lost) = (
            record.values("found", as: GNSMessage.self), record.values("lost", as: GNSMessage.self)
        )
        #expect(found.first === lost.first)
        publication = one.publication(with: GNSMessage("Anna"))
        await eventually("found again after lost") { record.foundTexts == ["Anna", "Anna"] }
        withExtendedLifetime((one, other, publication, subscription)) {}
    }

    @Test func outOfReachIsLostAndFoundAgainOnReturn() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let record = Record()
        let subscription = other.subscription(to: record)
        let publication = one.publication(with: GNSMessage("Anna"))
        await eventually { record.foundTexts == ["Anna"] }
        anna.audio.move(to: 1)
        await eventually(in: world.air) { record.lostTexts == ["Anna"] }
        anna.audio.move(to: 0)
        await eventually(in: world.air) { record.foundTexts.count >= 2 }
        withExtendedLifetime((one, other, publication, subscription)) {}
    }

    /// Devices with other keys hear the tokens and report them, but receive nothing.
    @Test func otherKeysNeverFindOneAnother() async {
        let (anna, bert, carl) = (world.device(), world.device(), world.device())
        let (one, other, same) = (anna.manager("key"), bert.manager("other"), carl.manager("key"))
        GNSMessageManager.setDebugLoggingEnabled(true)
        let (otherRecord, sameRecord) = (Record(), Record())
        let subscriptions = [other.subscription(to: otherRecord), same.subscription(to: sameRecord)]
        let publications = [
            one.publication(with: GNSMessage("Anna")), other.publication(with: GNSMessage("Bert")),
        ]
        await eventually { sameRecord.foundTexts == ["Anna"] }
        await eventually("both tokens were asked about") {
            let judged = bert.lines.all.filter { $0.hasPrefix("Tokens: 0 good, ") }
            return judged.reduce(0) { $0 + ($1.contains(", 2 bad") ? 2 : 1) } == 2
        }
        #expect(otherRecord.foundTexts.isEmpty && sameRecord.foundTexts == ["Anna"])
        withExtendedLifetime((one, other, same, publications, subscriptions)) {}
    }

    @Test func withoutTypeAllTypesArriveWithOneOnlyThat() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let (all, some) = (Record(), Record())
        let subscriptions = [other.subscription(to: all), other.subscription(to: some) { $0?.type = "b" }]
        let publications = ["a", "b", ""].map { one.publication(with: GNSMessage("of type \($0)", type: $0)) }
        await eventually { all.foundTexts.sorted() == ["of type ", "of type a", "of type b"] }
        await eventually { some.foundTexts == ["of type b"] }
        withExtendedLifetime((one, other, publications, subscriptions)) {}
    }

    /// Only beacons' messages have a namespace, so that an engine publishes these.
    @Test func namespacesAreKeptApart() async throws {
        let (bert, clock) = (world.device(), world.air.clock.engineClock)
        let engine = NearbyEngine(
            media: [world.air.driver(.audio)], registry: world.registries.device(apiKey: "key"), clock: clock,
            log: bert.lines.logger)
        let manager = bert.manager()
        let (own, other, typed) = (Record(), Record(), Record())
        let subscriptions = [
            manager.subscription(to: own),
            manager.subscription(to: other) { $0?.messageNamespace = "com.other" },
            manager.subscription(to: typed) { params in
                params?.messageNamespace = "com.other"
                params?.type = "t"
            },
        ]
        let publications = [
            try await engine.publish(Message("own")),
            try await engine.publish(Message("other", namespace: "com.other")),
            try await engine.publish(Message("typed", type: "t", namespace: "com.other")),
        ]
        await eventually { other.foundTexts.sorted() == ["other", "typed"] && own.foundTexts == ["own"] }
        await eventually { typed.foundTexts == ["typed"] }
        #expect(other.values("found", as: GNSMessage.self).allSatisfy { $0.messageNamespace == "com.other" })
        withExtendedLifetime((manager, publications, subscriptions)) {}
    }

    /// The original has no notification for a change: a subscriber loses the old content and finds the new
    /// one.
    @Test func changedContentIsLostAndFound() async throws {
        let bert = world.device()
        let engine = NearbyEngine(
            media: [world.air.driver(.audio)], registry: world.registries.device(apiKey: "key"),
            clock: world.air.clock.engineClock, log: bert.lines.logger)
        let (manager, record) = (bert.manager(), Record())
        let subscription = manager.subscription(to: record)
        let publication = try await engine.publish(Message("one"))
        await eventually { record.foundTexts == ["one"] }
        try await publication.update(Message("two"))
        await eventually { record.lostTexts == ["one"] && record.foundTexts == ["one", "two"] }
        withExtendedLifetime((manager, subscription, publication)) {}
    }

    @Test func handlersGoToTheExecutorOfChoice() async {
        let queue = DispatchQueue(label: "handlers")
        let key = DispatchSpecificKey<Bool>()
        queue.setSpecific(key: key, value: true)
        let (anna, bert) = (world.device(), world.device())
        let one = anna.manager()
        let other = bert.run {
            GNSMessageManager(apiKey: "key", paramsBlock: { $0?.executor = .queue(queue) })
        }
        let record = Record()
        let subscription = other.subscription(
            messageFoundHandler: { _ in record.add("on queue", DispatchQueue.getSpecific(key: key)) },
            messageLostHandler: nil)
        let publication = one.publication(with: GNSMessage("Anna"))
        await eventually { record.values("on queue") == [true] }
        withExtendedLifetime((one, other, publication, subscription)) {}
    }
}
