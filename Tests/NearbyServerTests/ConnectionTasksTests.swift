import Testing

@testable import NearbyServer

@Suite(.timeLimit(.minutes(1))) struct ConnectionTasksTests {
    private let tasks = ConnectionTasks()

    @Test func oneCallRunsAllTasksUntilTheLastConnectionEnds() async {
        let (said, say) = AsyncStream.makeStream(of: Int.self)
        var words = said.makeAsyncIterator()
        await tasks.run()
        for round in [10, 20] {
            tasks.beginConnection()
            tasks.beginConnection()
            tasks.add { say.yield(round + 1) }
            async let running: Void = tasks.run()
            #expect(await words.next() == round + 1)
            // Another call does not wait.
            await tasks.run()
            tasks.endConnection()
            tasks.add { say.yield(round + 2) }
            #expect(await words.next() == round + 2)
            tasks.endConnection()
            await running
        }
    }

    @Test func theCallWaitsForItsTasks() async {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let (said, say) = AsyncStream.makeStream(of: String.self)
        var words = said.makeAsyncIterator()
        tasks.beginConnection()
        tasks.add {
            say.yield("task begins")
            for await _ in gate {}
            say.yield("task ends")
        }
        let run = Task { [tasks] in
            await tasks.run()
            say.yield("call ends")
        }
        #expect(await words.next() == "task begins")
        tasks.endConnection()
        open.finish()
        #expect(await words.next() == "task ends")
        #expect(await words.next() == "call ends")
        await run.value
    }
}
