import Foundation
import GNSMessages
import Nearby
import Testing

/// Tests that publications and subscriptions last as long as the app holds them.
@Suite struct LifetimeTests {
    private let world = World()

    @Test func releasedSubscriptionIsToldNothingMore() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let (released, held) = (Record(), Record())
        var subscription = other.subscription(to: released)
        let witness = other.subscription(to: held)
        let first = one.publication(with: GNSMessage("first"))
        await eventually { released.foundTexts == ["first"] && held.foundTexts == ["first"] }
        subscription = nil
        _ = subscription
        let told = released.words.count
        let second = one.publication(with: GNSMessage("second"))
        await eventually { held.foundTexts == ["first", "second"] }
        #expect(released.words.count == told)
        withExtendedLifetime((one, other, witness, first, second)) {}
    }

    /// The object releases what an app's handlers hold. Otherwise an app that holds both would never be
    /// released.
    @Test func releasedSubscriptionLetsGoOfItsHandlers() async {
        final class Owner: Sendable {}
        let device = world.device()
        let manager = device.manager()
        weak var weakOwner: Owner?
        var subscription: (any GNSSubscription)?
        do {
            let owner = Owner()
            weakOwner = owner
            subscription = manager.subscription(
                messageFoundHandler: { _ in withExtendedLifetime(owner) {} },
                messageLostHandler: { _ in withExtendedLifetime(owner) {} },
                paramsBlock: { params in
                    params?.statusHandler = { _ in withExtendedLifetime(owner) {} }
                    params?.permissionRequestHandler = { _ in withExtendedLifetime(owner) {} }
                })
        }
        #expect(weakOwner != nil)
        await eventually { subscription?.status == .active }
        subscription = nil
        await eventually { weakOwner == nil }
    }

    @Test func everythingEndsWithTheManager() async {
        let (anna, bert) = (world.device(), world.device())
        var one: GNSMessageManager? = anna.manager()
        let other = bert.manager()
        let (record, statuses) = (Record(), Record())
        let subscription = other.subscription(to: record)
        let publication = one!.publication(
            with: GNSMessage("Anna"), paramsBlock: { $0?.statusHandler = statuses.status })
        await eventually { record.foundTexts == ["Anna"] && statuses.statuses.last == .active }
        one = nil
        await eventually { record.lostTexts == ["Anna"] && statuses.statuses.last == .inactive }
        #expect(publication?.status == .inactive)
        #expect(publication?.inactiveReason == "its message manager is no more")
        await eventually("the air is silent") { anna.audio.assignment == .idle }
        withExtendedLifetime((other, subscription)) {}
    }

    /// A publication that was released before it began does not stay.
    @Test func releasedAtOnceIsEndedAtOnce() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let record = Record()
        let subscription = other.subscription(to: record)
        for n in 0..<20 { _ = one.publication(with: GNSMessage("\(n)")) }
        let publication = one.publication(with: GNSMessage("last"))
        await eventually {
            record.foundTexts.contains("last") && record.foundTexts.count == record.lostTexts.count + 1
        }
        withExtendedLifetime((one, other, publication, subscription)) {}
    }

    @Test func statusGoesFromInactiveOverStartingToActive() async {
        let gate = Gate()
        let device = world.device(permission: .undecided) { environment in
            environment.makeRegistry = { [registries = world.registries] key in
                GatedRegistry(registries.device(apiKey: key), gate)
            }
        }
        let (manager, record) = (device.manager(), Record())
        let publication = manager.publication(
            with: GNSMessage("Anna"), paramsBlock: { $0?.statusHandler = record.status })
        await eventually { record.statuses == [.inactive] }
        await eventually {
            publication?.inactiveReason == "audio: the user has not decided; ble: the user has not decided"
        }
        device.run { GNSPermission.setGranted(true) }
        await eventually { record.statuses == [.inactive, .starting] }
        gate.open()
        await eventually { record.statuses.last == .active }
        #expect(record.statuses == [.inactive, .starting, .active])
        #expect(publication?.inactiveReason == nil)
        device.audio.set(MediumCondition(broadcast: .missing, scan: .failing))
        await eventually { record.statuses == [.inactive, .starting, .active, .inactive] }
        #expect(publication?.inactiveReason == "audio: there is no such device; ble: there is no such device")
        #expect(record.areAllOnMain)
        withExtendedLifetime((manager, publication)) {}
    }
}

/// A gate that lets nothing through until it is opened.
private final class Gate: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }
    func pass() async { for await _ in stream {} }
}

private struct GatedRegistry: TokenRegistry {
    private let base: any TokenRegistry
    private let gate: Gate

    init(_ base: any TokenRegistry, _ gate: Gate) { (self.base, self.gate) = (base, gate) }

    func events() -> AsyncStream<Answer> { base.events() }

    func report(_ report: Report) async throws(RegistryError) -> Answer {
        await gate.pass()
        return try await base.report(report)
    }
}
