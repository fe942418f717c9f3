import MediumShell
import Testing

/// Tests of the thread of a device: when it uses the device, tries again, and is silent.
@Suite(.timeLimit(.minutes(1))) struct CommandQueueTests {
    private struct DeviceFailure: Error {}

    /// Runs `use` on a thread of its own, as a device's thread does, and reports what happens.
    private func serve(
        _ queue: CommandQueue<Int>, _ use: @escaping @Sendable (Int) -> Bool
    ) -> AsyncStream<String> {
        let (stream, reader) = AsyncStream.makeStream(of: String.self)
        let code = DeviceThread.start {
            queue.serve { retry throws(DeviceFailure) in
                while let order = queue.order {
                    reader.yield("uses \(order)")
                    guard use(order) else { throw DeviceFailure() }
                    retry.reset()
                    queue.wakePipe.wait(until: .now + .seconds(60))
                }
                reader.yield("closes")
            } failed: { _ in
                reader.yield("failed")
            }
            reader.finish()
        }
        #expect(code == 0)
        return stream
    }

    @Test func theLatestOrderIsCarriedOut() async throws {
        let queue = try #require(CommandQueue<Int>())
        var events = serve(queue) { _ in true }.makeAsyncIterator()
        queue.post(1)
        #expect(await events.next() == "uses 1")
        queue.post(2)
        // The wake of the first order may come after its first use.
        var next = await events.next()
        while next == "uses 1" { next = await events.next() }
        #expect(next == "uses 2")
        queue.post(nil)
        next = await events.next()
        while next == "uses 2" { next = await events.next() }
        #expect(next == "closes")
        await queue.silence()
        #expect(queue.isSilent)
        queue.close()
        #expect(await events.next() == nil)
    }

    /// A device that fails is tried again with the next order at once, although the wait lasts a second.
    @Test func aNewOrderEndsTheWait() async throws {
        let queue = try #require(CommandQueue<Int>())
        var events = serve(queue) { $0 > 1 }.makeAsyncIterator()
        queue.post(1)
        #expect(await events.next() == "uses 1")
        #expect(await events.next() == "failed")
        queue.post(2)
        var next = await events.next()
        // The wait may have ended by itself before.
        while next == "uses 1" || next == "failed" { next = await events.next() }
        #expect(next == "uses 2")
        queue.close()
        next = await events.next()
        while next == "uses 2" { next = await events.next() }
        #expect(next == "closes")
    }

    /// A closed queue has no order, whatever is posted, and its thread ends.
    @Test func closingEndsTheThread() async throws {
        let queue = try #require(CommandQueue<Int>())
        let events = serve(queue) { _ in true }
        queue.post(1)
        queue.close()
        queue.post(2)
        for await _ in events {}
        await queue.silence()
        #expect(queue.order == nil && queue.isSilent)
    }

    /// Nobody waits for ever for a device that hangs.
    @Test func patienceEnds() async throws {
        let queue = try #require(CommandQueue<Int>())
        queue.post(1)
        queue.post(nil)
        await queue.silence(atMost: .milliseconds(20))
        #expect(!queue.isSilent)
    }

    @Test func waitsGrowToHalfAMinute() {
        var retry = Retry()
        var times: [Duration] = []
        for _ in 0..<7 {
            times.append(retry.time)
            retry.lengthen()
        }
        #expect(times == [1, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
        retry.reset()
        #expect(retry.time == .seconds(1))
    }
}
