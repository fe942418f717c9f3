import Foundation
import GNSMessages
import Nearby
import NearbyTestSupport
import Testing

/// Tests of the user's decision: the questions, the notifications and the storage.
@Suite struct PermissionTests {
    private let world = World()

    @Test func handlerIsSilentUntilTheUserHasDecided() async {
        let device = world.device(permission: .undecided)
        let record = Record()
        let permission = device.run { GNSPermission(changedHandler: record.permission) }
        #expect(!device.run { GNSPermission.isGranted() })
        #expect(record.isEmpty)
        for granted in [true, true, false, true] { device.run { GNSPermission.setGranted(granted) } }
        await eventually { record.values("permission") == [true, false, true] }
        #expect(record.areAllOnMain && device.run { GNSPermission.isGranted() })
        let later = Record()
        let second = device.run { GNSPermission(changedHandler: later.permission) }
        await eventually("one that comes later is told what was decided") {
            later.values("permission") == [true]
        }
        withExtendedLifetime((permission, second)) {}
    }

    @Test func releasedHandlerIsToldNothing() async {
        let device = world.device(permission: .undecided)
        let (released, held) = (Record(), Record())
        var permission: GNSPermission? = device.run { GNSPermission(changedHandler: released.permission) }
        let witness = device.run { GNSPermission(changedHandler: held.permission) }
        permission = nil
        _ = permission
        device.run { GNSPermission.setGranted(true) }
        await eventually { held.values("permission") == [true] }
        #expect(released.isEmpty)
        withExtendedLifetime(witness) {}
    }

    @Test func firstOperationAsksAndTheAnswerHoldsForAll() async {
        let device = world.device(permission: .undecided)
        let (manager, record) = (device.manager(), Record())
        let asking: GNSPublicationParamsBlock = { params in
            params?.permissionRequestHandler = { answer in
                record.add("asked", nil)
                answer?(true)
                answer?(false)  // Only the first answer counts.
            }
        }
        let first = manager.publication(with: GNSMessage("Anna"), paramsBlock: asking)
        await eventually { first?.status == .active }
        let second = manager.publication(with: GNSMessage("Anna"), paramsBlock: asking)
        await eventually { second?.status == .active }
        #expect(record.words == ["asked"] && record.areAllOnMain)
        #expect(device.run { GNSPermission.isGranted() })
        withExtendedLifetime((manager, first, second)) {}
    }

    @Test func afterDenialEachNewOperationAsksAgain() async {
        let device = world.device(permission: .denied)
        let (manager, record) = (device.manager(), Record())
        var held: [(any GNSSubscription)?] = []
        for n in 1...3 {
            held.append(
                manager.subscription(to: record) { params in
                    params?.permissionRequestHandler = { answer in
                        record.add("asked", nil)
                        answer?(n == 3)
                    }
                })
            await eventually { record.words.count { $0 == "asked" } == n }
        }
        await eventually { held.allSatisfy { $0?.status == .active } }
        withExtendedLifetime((manager, held)) {}
    }

    /// Makes three subscriptions, whose dialogs stay open until `answer`, which grants permission, is called.
    private func openDialogs(
        _ manager: GNSMessageManager, _ record: Record, _ answer: Locked<(@Sendable () -> Void)?>
    ) -> [(any GNSSubscription)?] {
        (1...3).map { _ in
            manager.subscription(to: record) { params in
                params?.permissionRequestHandler = { handler in
                    nonisolated(unsafe) let handler = handler
                    record.add("asked", nil)
                    answer.withLock { $0 = { handler?(true) } }
                }
            }
        }
    }

    /// While a dialog is open, no other one opens; its answer settles the other questions.
    @Test func oneQuestionAtATime() async {
        let device = world.device(permission: .undecided)
        let (manager, record) = (device.manager(), Record())
        let answer = Locked<(@Sendable () -> Void)?>(nil)
        let operations = openDialogs(manager, record, answer)
        await eventually { answer.withLock { $0 != nil } }
        answer.withLock { $0 }?()
        await eventually { operations.allSatisfy { $0?.status == .active } }
        #expect(record.words.count { $0 == "asked" } == 1)
        withExtendedLifetime((manager, operations)) {}
    }

    /// The app's own decision, for example in its settings, settles the waiting questions, whatever happens
    /// to the open one.
    @Test func aDecisionSettlesWhatWaits() async {
        let device = world.device(permission: .undecided)
        let (manager, record) = (device.manager(), Record())
        let open = Locked<(@Sendable () -> Void)?>(nil)
        let operations = openDialogs(manager, record, open)
        await eventually { open.withLock { $0 != nil } }
        device.run { GNSPermission.setGranted(true) }
        await eventually { operations.allSatisfy { $0?.status == .active } }
        // The dialog closes without an answer.
        open.withLock { $0 = nil }
        try? await Task.sleep(for: .milliseconds(200))
        #expect(record.words.count { $0 == "asked" } == 1)
        withExtendedLifetime((manager, operations)) {}
    }

    /// This is the documentation's snippet before anything replaces its comment.
    @Test func unansweredLeavesTheUserUndecidedAndTheNextOneAsks() async {
        let device = world.device(permission: .undecided)
        let (manager, record) = (device.manager(), Record())
        let silent = manager.publication(
            with: GNSMessage("Anna"),
            paramsBlock: { $0?.permissionRequestHandler = { _ in record.add("silent", nil) } })
        await eventually { record.words == ["silent"] }
        #expect(silent?.status == .inactive)
        let asking = manager.publication(
            with: GNSMessage("Anna"), paramsBlock: { $0?.permissionRequestHandler = { $0?(true) } })
        await eventually { silent?.status == .active && asking?.status == .active }
        withExtendedLifetime((manager, silent, asking)) {}
    }

    @Test func environmentAsksWhereTheOperationDoesNot() async {
        let record = Record()
        let device = world.device(permission: .undecided) { environment in
            environment.askPermission = { answer in
                record.add("asked", nil)
                answer(true)
            }
        }
        let manager = device.manager()
        let publication = manager.publication(with: GNSMessage("Anna"))
        await eventually { publication?.status == .active }
        #expect(record.words == ["asked"])
        withExtendedLifetime((manager, publication)) {}
    }

    /// The store contains a text that somebody has written there.
    @Test func storeThatMakesNoSenseIsNoDecision() async {
        let device = world.device(permission: .undecided)
        for text in ["", "yes", "undecided", "\u{0}"] {
            device.store.set(Data(text.utf8), for: "permission")
            #expect(!device.run { GNSPermission.isGranted() })
        }
        device.store.set(Data("granted".utf8), for: "permission")
        #expect(device.run { GNSPermission.isGranted() }, "as another process has decided")
    }

    @Test func storeThatFailsHoldsTheDecisionForThisProcess() {
        struct Full: GNSStateStore {
            struct NoSpace: Error {}
            func data(for key: String) -> Data? { nil }
            func set(_ data: Data?, for key: String) throws { throw NoSpace() }
        }
        let environment = GNSEnvironment(store: Full())
        environment.run {
            GNSPermission.setGranted(true)
            #expect(GNSPermission.isGranted())
        }
    }

    /// For a message that can never be published, there is nothing to ask the user about.
    @Test func impossibleOperationDoesNotAsk() async {
        let record = Record()
        let device = world.device(permission: .undecided) { environment in
            environment.overLimit = { _ in }
            environment.askPermission = { answer in
                record.add("asked", nil)
                answer(true)
            }
        }
        let manager = device.manager()
        var impossible = [
            manager.publication(with: GNSMessage("a", type: String(repeating: "t", count: 33)))
        ]
        impossible.append(manager.publication(with: nil))
        let none = manager.subscription(to: Record()) { $0?.deviceTypesToDiscover = [] }
        #expect(record.isEmpty)
        let possible = manager.publication(with: GNSMessage("Anna"))
        await eventually { possible?.status == .active }
        #expect(record.words == ["asked"])
        withExtendedLifetime((manager, impossible, none, possible)) {}
    }

    @Test func withdrawnPermissionStopsWhatGoesOn() async {
        let (anna, bert) = (world.device(), world.device())
        let (one, other) = (anna.manager(), bert.manager())
        let record = Record()
        let subscription = other.subscription(to: record)
        let publication = one.publication(with: GNSMessage("Anna"))
        await eventually { record.foundTexts == ["Anna"] }
        anna.run { GNSPermission.setGranted(false) }
        await eventually { publication?.status == .inactive && anna.audio.assignment == .idle }
        withExtendedLifetime((one, other, publication, subscription)) {}
    }
}
