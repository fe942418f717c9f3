import Nearby
import NearbyTestSupport
import Testing

@testable import SetTopBox

/// Tests of a box that broadcasts, of apps that scan, and of disturbances between them.
@Suite(.timeLimit(.minutes(5))) struct SetTopBoxTests {
    private func start(
        _ scene: BoxScene = BoxScene(), _ change: (inout BoxConfiguration) throws -> Void = { _ in }
    ) async throws -> (BoxScene, SetTopBox, Arrivals) {
        var configuration = try BoxScene.configuration()
        try change(&configuration)
        let box = try SetTopBox(configuration, parts: scene.parts)
        let arrivals = Arrivals(box)
        try await box.start()
        return (scene, box, arrivals)
    }

    /// The documentation's example: the box only broadcasts and the app only scans. The app finds the box,
    /// and its message arrives.
    @Test func anAppThatScansReachesABoxThatBroadcasts() async throws {
        let (scene, box, arrivals) = try await start()
        let app = scene.app()
        let found = Findings(try await app.subscribe(to: .type("screen"), strategy: BoxScene.scan))
        let publication = try await app.publish(Message("louder", type: "remote"), strategy: BoxScene.scan)
        try await scene.until("met") { arrivals.texts == ["louder"] && found.words == ["+living room"] }
        #expect(arrivals.messages.map(\.change) == [.arrived])
        try await publication.update(Message("softer", type: "remote"))
        try await scene.until("changed") { arrivals.texts == ["louder", "softer"] }
        try await scene.until("known") { await box.status.isKnown }
        let status = await box.status
        #expect(status.isBroadcasting && !status.isListening && status.isWell)
        #expect(status.summary == "broadcasting")
        #expect(box.counts.messages == 2 && box.counts.framesSent > 0)
        await box.end()
        #expect(scene.assignment == .idle)
    }

    /// A box with a microphone hears an app that only broadcasts.
    @Test func aBoxWithAMicrophoneHears() async throws {
        let (scene, box, arrivals) = try await start { $0.sound.capture = .device("mic") }
        let app = NearbyEngine(
            media: [scene.air.driver(.audio)], registry: scene.server.device(),
            clock: scene.air.clock.engineClock)
        let broadcast = Strategy(media: [.audio], mode: .broadcast)
        let publication = try await app.publish(Message("louder"), strategy: broadcast)
        try await scene.until("arrived") { arrivals.texts == ["louder"] }
        #expect(scene.assignment.isScanning && scene.assignment.broadcast != nil)
        #expect(await box.status.isListening)
        _ = publication
        await box.end()
    }

    /// The server does not answer for a while, or has forgotten everybody. Earlier messages do not arrive
    /// again, but new ones do.
    @Test func everyMessageOnceThoughTheServerIsLost() async throws {
        let (scene, box, arrivals) = try await start()
        let (a, b) = (scene.app(), scene.app())
        let first = try await a.publish(Message("louder"), strategy: BoxScene.scan)
        let second = try await b.publish(Message("louder"), strategy: BoxScene.scan)
        try await scene.until("both arrived") { arrivals.texts == ["louder", "louder"] }
        scene.server.set(isReachable: false)
        try await scene.until("lost") { await !box.status.isWell }
        try await scene.pass(seconds: 60)
        scene.server.set(isReachable: true)
        try await scene.until("well") { await box.status.isWell }
        try await scene.pass(seconds: 60)
        scene.server.beginAnew()
        try await scene.pass(seconds: 120)
        #expect(arrivals.texts == ["louder", "louder"])
        #expect(box.counts.repeats >= 2)
        let third = try await a.publish(Message("softer"), strategy: BoxScene.scan)
        try await scene.until("arrived") { arrivals.texts.count == 3 }
        // Somebody publishes the same content again, when all is quiet.
        await first.end()
        try await scene.pass(seconds: 10)
        let fourth = try await a.publish(Message("louder"), strategy: BoxScene.scan)
        try await scene.until("arrived") { arrivals.texts.count == 4 }
        #expect(arrivals.texts == ["louder", "louder", "softer", "louder"])
        _ = (second, third, fourth)
        await box.end()
    }

    /// From 12:01 to 12:03 nothing sounds. After that everything is as before.
    @Test func quietHours() async throws {
        let (scene, box, _) = try await start {
            $0.quietHours = try QuietHours(["12:01-12:03"], in: .utc)
        }
        // Nothing is wrong at any moment.
        let told = Locked<[BoxStatus]>([])
        let statuses = await box.statuses()
        let follower = Task { for await status in statuses { told.withLock { $0.append(status) } } }
        try await scene.until("broadcasts") { scene.assignment.broadcast != nil }
        try await scene.until("quiet") { scene.assignment.broadcast == nil }
        #expect((58...66).contains(scene.air.clock.now.offset.inSeconds))
        try await scene.until("told") { await !box.status.isBroadcasting }
        let status = await box.status
        #expect(status.isQuiet && status.isWell && status.summary.contains("quiet hours"))
        // The box is silent throughout, with new tokens and reports meanwhile.
        while scene.air.clock.now.offset < .seconds(175) {
            #expect(scene.assignment.broadcast == nil)
            try await scene.pass(seconds: 5)
        }
        try await scene.until("broadcasts again") { scene.assignment.broadcast != nil }
        #expect((178...190).contains(scene.air.clock.now.offset.inSeconds))
        try await scene.until("told that it is over") { await !box.status.isQuiet }
        await box.end()
        await follower.value
        let all = told.withLock { $0 }
        #expect(all.contains { $0.isQuiet } && all.last { !$0.isQuiet } != nil)
        #expect(all.allSatisfy { $0.isWell && $0.problems.isEmpty }, "\(all.flatMap(\.problems))")
        #expect(all.allSatisfy { !$0.summary.isEmpty })
    }

    /// A box whose clock was never set does not know the hour. If it has quiet hours, it is silent.
    @Test func aClockThatWasNeverSet() async throws {
        let (scene, box, _) = try await start(BoxScene(wallStart: .seconds(1000))) {
            $0.quietHours = try QuietHours(["22:00-07:00"], in: .utc)
        }
        try await scene.pass(seconds: 30)
        #expect(scene.assignment.broadcast == nil)
        #expect(await box.status.isQuiet)
        await box.end()
    }

    /// The test checks the configured pauses, and the engine's own if the box listens too.
    @Test func pauses() async throws {
        let (scene, box, _) = try await start { $0.sound.pauseSeconds = 8 }
        try await scene.until("broadcasts") { scene.assignment.broadcast != nil }
        #expect(
            scene.assignment.broadcast?.cadence == .bursts(listening: .seconds(8)...(.seconds(10))))
        var next = await box.configuration
        next.sound.pauseSeconds = 0
        #expect(try await box.apply(next) == .inPlace)
        try await scene.until("continuous") { scene.assignment.broadcast?.cadence == .continuous }
        next.sound.capture = .device("mic")
        next.sound.pauseSeconds = 2
        #expect(try await box.apply(next) == .restarted)
        try await scene.until("listens") {
            scene.assignment.isScanning && scene.assignment.broadcast != nil
        }
        guard case .bursts(let listening)? = scene.assignment.broadcast?.cadence else { throw Missing() }
        #expect(listening.lowerBound == .seconds(2) && listening.upperBound >= .milliseconds(2500))
        await box.end()
    }

    /// Tokens change in the configured time.
    @Test func rotation() async throws {
        let (scene, box, _) = try await start { $0.rotation = .seconds(20)...(.seconds(30)) }
        var (tokens, times) = ([Token](), [Double]())
        while scene.air.clock.now.offset < .seconds(300) {
            if let token = scene.assignment.broadcast?.token, token != tokens.last {
                tokens.append(token)
                times.append(scene.air.clock.now.offset.inSeconds)
            }
            try await scene.pass(seconds: 1)
        }
        let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(tokens.count >= 9 && Set(tokens).count == tokens.count)
        #expect(gaps.allSatisfy { (18...34).contains($0) }, "\(gaps)")
        #expect(box.counts.rotations >= tokens.count - 1)
        await box.end()
    }

    /// Some changes are made in place, others make the box leave and come back, and wrong ones change
    /// nothing. All earlier messages have arrived.
    @Test func changes() async throws {
        let (scene, box, arrivals) = try await start()
        let app = scene.app()
        let found = Findings(try await app.subscribe(to: .type("screen"), strategy: BoxScene.scan))
        let publication = try await app.publish(Message("louder", type: "remote"), strategy: BoxScene.scan)
        try await scene.until("met") { arrivals.texts.count == 1 && found.words == ["+living room"] }
        var next = await box.configuration
        #expect(try await box.apply(next) == .nothing)
        next.announcement = try Message("kitchen", type: "screen")
        next.receives = .types(["remote", "other"])
        #expect(try await box.apply(next) == .inPlace)
        try await scene.until("changed") { found.words.last == "=kitchen" }
        #expect(scene.driverCount == 1)
        next.announcement = nil
        #expect(try await box.apply(next) == .inPlace)
        try await scene.until("withdrawn") { found.words.last == "-kitchen" }
        next.announcement = try Message("hall", type: "screen")
        next.sound.levelDBFS = -20
        #expect(try await box.apply(next) == .restarted)
        try await scene.until("back") { found.words.last == "+hall" }
        #expect(scene.driverCount == 2)
        // The values are wrong, or the medium is not available.
        var wrong = next
        wrong.sound.levelDBFS = 3
        await #expect(throws: BoxError.self) { try await box.apply(wrong) }
        wrong.sound.levelDBFS = -3
        scene.setFailure(.ended)
        await #expect(throws: BoxError.self) { try await box.apply(wrong) }
        scene.setFailure(nil)
        #expect(await box.configuration == next)
        let late = try await app.publish(Message("softer", type: "other"), strategy: BoxScene.scan)
        try await scene.until("goes on") { arrivals.texts == ["louder", "softer"] }
        _ = (publication, late)
        await box.end()
        await #expect(throws: BoxError.self) { try await box.apply(next) }
        await #expect(throws: BoxError.self) { try await box.start() }
    }

    /// Another program takes the loudspeaker, which then comes back.
    @Test func theLoudspeakerIsTaken() async throws {
        let (scene, box, arrivals) = try await start()
        try await scene.until("broadcasts") { await box.status.isBroadcasting }
        scene.setLoudspeaker(MediumCondition(broadcast: .failing, scan: .missing))
        try await scene.until("told") { await box.status.loudspeaker == .failing }
        #expect(await box.status.problems.count == 1)
        scene.setLoudspeaker(MediumCondition(scan: .missing))
        try await scene.until("well") { await box.status.isBroadcasting }
        let app = scene.app()
        let publication = try await app.publish(Message("louder"), strategy: BoxScene.scan)
        try await scene.until("arrives") { arrivals.texts == ["louder"] }
        _ = publication
        await box.end()
    }

    private struct Missing: Error {}
}
