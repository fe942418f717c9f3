import Nearby
import NearbyTestSupport
import Testing

@testable import SetTopBox

/// Tests of starting, changing and ending a box at the same time, and of a medium that carries out orders
/// slowly.
@Suite(.timeLimit(.minutes(2))) struct TransitionTests {
    /// Begins a box and lets it take some steps, another number each time, before `act`; then waits for both.
    private func whileStarting(
        _ act: @Sendable @escaping (SetTopBox) async -> Void,
        then check: (BoxScene, SetTopBox) async throws -> Void
    ) async throws {
        for steps in 0..<60 {
            let scene = BoxScene()
            let box = try SetTopBox(BoxScene.configuration(), parts: scene.parts)
            let start = Task { do { try await box.start() } catch { #expect("\(error)".contains("ended")) } }
            for _ in 0..<steps { await Task.yield() }
            await act(box)
            await start.value
            try await check(scene, box)
        }
    }

    @Test func aBoxThatEndsWhileItStartsIsSilent() async throws {
        try await whileStarting(
            { await $0.end() },
            then: { scene, box in
                try await scene.pass(seconds: 3)
                #expect(scene.assignment == .idle)
                #expect(await box.status == BoxStatus())
                await #expect(throws: BoxError.self) { try await box.start() }
            })
    }

    @Test func twoStartsMakeOneEngine() async throws {
        try await whileStarting(
            { box in do { try await box.start() } catch { Issue.record(error) } },
            then: { scene, box in
                #expect(scene.driverCount == 1)
                await box.end()
                try await scene.pass(seconds: 1)
                #expect(scene.assignment == .idle)
            })
    }

    /// A medium whose first orders take longer than later ones.
    private actor SlowMedium: MediumDriver {
        nonisolated let medium = Medium.audio
        private(set) var done: [MediumAssignment] = []
        private var held: [CheckedContinuation<Void, Never>] = []
        private var isHolding = true

        nonisolated func events() -> AsyncStream<MediumEvent> { AsyncStream { $0.finish() } }

        func carryOut(_ assignment: MediumAssignment) async {
            if isHolding {
                await withCheckedContinuation { held.append($0) }
            }
            done.append(assignment)
        }

        var waitingCount: Int { held.count }

        /// Releases the held orders, the last one first.
        func letGo() {
            isHolding = false
            for one in held.reversed() { one.resume() }
            held = []
        }
    }

    /// An order to sound from before the quiet hours does not take effect in them.
    @Test func aStaleOrderNeverWins() async throws {
        let medium = SlowMedium()
        let gate = GatedMedium(medium, isSilent: false, pause: .zero)
        let loud = MediumAssignment(broadcast: .init([.token(Token(bits: 1))], cadence: .continuous))
        let first = Task { await gate.carryOut(loud) }
        while await medium.waitingCount == 0 { await Task.yield() }
        let quiet = Task { await gate.set(isSilent: true, pause: .zero, number: 2) }
        while await !gate.isSilent { await Task.yield() }
        let stale = Task { await gate.set(isSilent: false, pause: .zero, number: 1) }
        await stale.value
        await medium.letGo()
        for task in [first, quiet] { await task.value }
        #expect(await gate.isSilent)
        #expect(await medium.done.last?.broadcast == nil)
        #expect(await medium.done.count == 2)
    }
}
