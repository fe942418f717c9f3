import Nearby
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct NearbyEngineTests {
    private let hub = Hub()

    /// - Parameter loss: the time after which a device that is not heard is lost. It is long enough for a
    ///   busy machine.
    private func makeRegistry(loss: Duration = .seconds(20)) -> LocalRegistry {
        var settings = RegistrySettings()
        (settings.shortestLoss, settings.missedFrames) = (loss, 0)
        return LocalRegistry(settings: settings)
    }

    private func makeEngine(
        _ registry: LocalRegistry, media: [any MediumDriver], permission: Permission = .granted,
        askPermission: NearbyEngine.PermissionRequest? = nil
    ) -> NearbyEngine {
        var settings = EngineSettings()
        settings.heartbeat = .milliseconds(100)
        return NearbyEngine(
            media: media, registry: registry.device(), permission: permission, askPermission: askPermission,
            settings: settings)
    }

    @Test func foundLostAndFoundAgain() async throws {
        let registry = makeRegistry(loss: .seconds(2))
        let medium = hub.medium()
        let (anna, ben) = (
            makeEngine(registry, media: [medium]), makeEngine(registry, media: [hub.medium()])
        )
        var events = try await ben.subscribe().makeAsyncIterator()
        let publication = try await anna.publish(Message("Anna"))
        guard case .found(let first) = await events.next() else { throw Missing() }
        #expect(first.message.text == "Anna")
        medium.leave()
        #expect(await events.next() == .lost(first))
        let back = makeEngine(registry, media: [hub.medium()])
        let again = try await back.publish(Message("Anna"))
        guard case .found(let second) = await events.next() else { throw Missing() }
        #expect(second.id != first.id)
        await again.end()
        #expect(await events.next() == .lost(second))
        _ = (publication, again)
    }

    @Test func aPublicationLivesAsLongAsItsHandle() async throws {
        let registry = makeRegistry()
        let (anna, ben) = (
            makeEngine(registry, media: [hub.medium()]), makeEngine(registry, media: [hub.medium()])
        )
        var events = try await ben.subscribe().makeAsyncIterator()
        do {
            let publication = try await anna.publish(Message("short"))
            guard case .found = await events.next() else { throw Missing() }
            _ = publication
        }
        guard case .lost = await events.next() else { throw Missing() }
    }

    @Test func mediaFallSilentWithTheLastOperation() async throws {
        let medium = hub.medium()
        let engine = makeEngine(makeRegistry(), media: [medium])
        let publication = try await engine.publish(Message("x"))
        let events = try await engine.subscribe()
        try await until { medium.assignment.isScanning && medium.assignment.broadcast != nil }
        await publication.end()
        #expect(medium.assignment.isScanning)
        await events.end()
        try await until { medium.assignment == .idle }
    }

    @Test func aTimeToLiveEnds() async throws {
        let medium = hub.medium()
        let engine = makeEngine(makeRegistry(), media: [medium])
        let events = try await engine.subscribe(strategy: Strategy(timeToLive: .milliseconds(50)))
        var all: [SubscriptionEvent] = []
        for await event in events { all.append(event) }
        #expect(all == [.expired])
        try await until { medium.assignment == .idle }
    }

    @Test func bytesGoWithoutARegistry() async throws {
        let nobody = Nobody()
        let (anna, ben) = (
            NearbyEngine(media: [hub.medium()], registry: nobody),
            NearbyEngine(media: [hub.medium()], registry: nobody)
        )
        let bytes = try AudioBytes([1, 2, 3])
        var events = try await ben.subscribe(
            to: .audioBytes, strategy: Strategy(media: [.audio], mode: .scan)
        ).makeAsyncIterator()
        let publication = try await anna.publish(Publication(bytes))
        #expect(await events.next() == .heardBytes(bytes))
        await publication.end()
    }

    @Test func nothingGoesOnAirBeforeTheUserAgrees() async throws {
        let medium = hub.medium()
        let (asked, answer) = AsyncStream.makeStream(of: CheckedContinuation<Bool, Never>.self)
        let engine = makeEngine(
            makeRegistry(), media: [medium], permission: .undecided,
            askPermission: { await withCheckedContinuation { answer.yield($0) } })
        let statuses = Mutex<[OperationStatus]>([])
        let publication = try await engine.publish(
            Publication(Message("x")), onStatus: { status in statuses.withLock { $0.append(status) } })
        var questions = asked.makeAsyncIterator()
        let question = await questions.next()
        #expect(medium.assignment == .idle)
        question?.resume(returning: true)
        try await until { medium.assignment.broadcast != nil }
        try await until { statuses.withLock { $0.last } == .active }
        #expect(statuses.withLock { $0.contains(.starting) })
        await engine.setPermission(.denied)
        try await until { medium.assignment == .idle }
        #expect(
            statuses.withLock { $0.last }
                == .inactive([.audio: .permission(.denied), .ble: .permission(.denied)]))
        await publication.end()
    }

    @Test func aBatchBeginsAsAWholeOrNotAtAll() async throws {
        let registry = makeRegistry()
        let (anna, ben) = (
            makeEngine(registry, media: [hub.medium()]), makeEngine(registry, media: [hub.medium()])
        )
        let wrong = Batch(
            publications: [try Publication(Message("a"))],
            subscriptions: [Subscription(strategy: Strategy(media: []))])
        await #expect(throws: NearbyError.noMedia) { try await anna.execute(wrong) }
        let both = Batch(publications: [try Publication(Message("a")), try Publication(Message("b"))])
        var held = try await anna.execute(both)
        var events = try await ben.subscribe().makeAsyncIterator()
        var found: Set<String> = []
        for _ in 0..<2 {
            guard case .found(let one) = await events.next() else { throw Missing() }
            found.insert(one.message.text)
        }
        #expect(found == ["a", "b"])
        let swap = Batch(
            publications: [try Publication(Message("c"))], ending: held.publications.map(\.operation))
        held = try await anna.execute(swap)
        var last: [String] = []
        for _ in 0..<3 {
            switch await events.next() {
            case .found(let one): last.append("+" + one.message.text)
            case .lost(let one): last.append("-" + one.message.text)
            default: throw Missing()
            }
        }
        #expect(last.sorted() == ["+c", "-a", "-b"])
        _ = held
    }

    @Test func inTheBackgroundOnlyBLEGoesOn() async throws {
        let (sound, radio) = (hub.medium(.audio), hub.medium(.ble))
        let engine = makeEngine(makeRegistry(), media: [sound, radio])
        let front = try await engine.subscribe()
        let back = try await engine.subscribe(strategy: Strategy(media: [.ble], allowInBackground: true))
        try await until { sound.assignment.isScanning && radio.assignment.isScanning }
        await engine.setBackground(true)
        try await until { sound.assignment == .idle }
        // The medium is notified, so that it can scan less.
        try await until { radio.assignment.isScanning && radio.assignment.isInBackground }
        await engine.setBackground(false)
        try await until { sound.assignment.isScanning && !radio.assignment.isInBackground }
        await engine.setBackground(true)
        try await until { radio.assignment.isInBackground }
        // Having nothing to do is the same in the background.
        await back.end()
        try await until { radio.assignment == .idle }
        await engine.setBackground(false)
        try await until { sound.assignment.isScanning && radio.assignment.isScanning }
        #expect(!radio.assignment.isInBackground)
        await front.end()
    }

    /// A device that its own microphone does not hear may have its loudspeaker off.
    @Test func aSpeakerThatNobodyHearsIsReported() async throws {
        let engine = makeEngine(makeRegistry(), media: [hub.medium()])
        let publication = try await engine.publish(Message("x"))
        for await status in await engine.statuses() where status.media[.audio]?.isUnheard == true { break }
        await publication.end()
    }

    @Test func anEndedEngineTakesNothingMore() async throws {
        let engine = makeEngine(makeRegistry(), media: [hub.medium()])
        await engine.end()
        await #expect(throws: NearbyError.engineEnded) { try await engine.publish(Message("x")) }
    }

    /// The operations of different engines have the same numbers.
    @Test func aBatchEndsOperationsOfItsOwnEngineOnly() async throws {
        let (anna, ben) = (
            makeEngine(makeRegistry(), media: [hub.medium()]), makeEngine(makeRegistry(), media: [])
        )
        let (mine, other) = try await (anna.publish(Message("x")), ben.publish(Message("y")))
        await #expect(throws: NearbyError.unknownOperation(other.operation.id)) {
            try await anna.execute(Batch(ending: [other.operation]))
        }
        try await mine.update(Message("z"))
    }

    /// An engine that is dropped at any moment releases its media, which fall silent.
    @Test func aDroppedEngineIsGoneAndItsMediaAreSilent() async throws {
        let (medium, registry) = (hub.medium(), makeRegistry())
        var engine: NearbyEngine? = makeEngine(registry, media: [medium])
        weak let dropped = engine
        var publication: PublicationHandle? = try await engine?.publish(Message("x"))
        var events: SubscriptionEvents? = try await engine?.subscribe()
        try await until { medium.assignment.isScanning && medium.assignment.broadcast != nil }
        (publication, events, engine) = (nil, nil, nil)
        try await until { medium.assignment == .idle }
        try await until { dropped == nil }
        _ = (publication, events, engine)
    }

    /// Answers and unasked events take different ways to the engine. Finds use only one of them; otherwise
    /// they would overtake each other.
    @Test func findsComeInOrder() async throws {
        let registry = makeRegistry()
        let (anna, ben) = (registry.device(), registry.device())
        var report = Report()
        (report.isComplete, report.wantsTokens) = (true, [.audio])
        report.published[OperationID(1)] = Publication(try Message("x"))
        let token = try await anna.report(report).grants[0].token
        report = Report()
        report.isComplete = true
        report.subscribed[OperationID(2)] = Subscription()
        report.observations = [TokenObservation(token, on: .audio, age: .zero)]
        let answer = try await ben.report(report)
        #expect(answer.deliveries.isEmpty)
        report = Report()
        report.ended = [OperationID(1)]
        _ = try await anna.report(report)
        var events = ben.events().makeAsyncIterator()
        #expect(await events.next()?.deliveries.map(\.change) == [.found])
        #expect(await events.next()?.deliveries.map(\.change) == [.lost])
    }

    /// A registry that hangs does not keep an engine from ending.
    @Test func anEngineEndsWithoutItsRegistry() async throws {
        let medium = hub.medium()
        let engine = NearbyEngine(media: [medium], registry: Hanging())
        let publication = try await engine.publish(Message("x"))
        let begun = ContinuousClock.now
        await engine.end()
        #expect(begun.duration(to: .now) >= NearbyEngine.unregistrationPatience)
        #expect(medium.assignment == .idle)
        _ = publication
    }

    private struct Missing: Error {}

    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(2)) }
    }
}

/// A registry that is never reachable.
struct Nobody: TokenRegistry {
    func report(_ report: Report) async throws(RegistryError) -> Answer { throw .unreachable("nobody") }
    func events() -> AsyncStream<Answer> { AsyncStream { $0.finish() } }
}

/// A registry that never returns.
struct Hanging: TokenRegistry {
    func report(_ report: Report) async throws(RegistryError) -> Answer {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        return Answer()
    }

    func events() -> AsyncStream<Answer> { AsyncStream { $0.finish() } }
}
