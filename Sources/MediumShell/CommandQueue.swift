import Synchronization

/// The order that a device's thread carries out, and the wait until the device is silent.
///
///     engine ── post(order) ──→ CommandQueue ──→ thread: opens the device, uses it, closes it
///     engine ←─ silence() ───── fellSilent() ←── thread
///
/// Only the latest order counts: it replaces the former one.
package final class CommandQueue<Order: Sendable>: Sendable {
    private struct Contents {
        var order: Order?
        /// A number that changes with each order, and when the queue is closed.
        var postCount = 0
        var isClosed = false
        var isSilent = true
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    package let wakePipe: WakePipe

    /// Returns `nil` if the system has no pipe; `errno` says why.
    package init?() {
        guard let pipe = WakePipe() else { return nil }
        wakePipe = pipe
    }

    /// The order, or `nil` if there is nothing to do.
    package var order: Order? { contents.withLock { $0.isClosed ? nil : $0.order } }
    package var isClosed: Bool { contents.withLock { $0.isClosed } }
    /// True if the thread uses no device.
    package var isSilent: Bool { contents.withLock { $0.isSilent } }

    /// Replaces the order.
    ///
    /// - Parameter order: the new order, or `nil` if there is nothing to do.
    package func post(_ order: Order?) {
        contents.withLock {
            $0.order = order
            $0.postCount += 1
            if order != nil && !$0.isClosed { $0.isSilent = false }
        }
        wakePipe.wake()
    }

    /// Ends the thread.
    package func close() {
        contents.withLock {
            $0.isClosed = true
            $0.postCount += 1
        }
        wakePipe.wake()
    }

    /// Runs a thread until the queue is closed.
    ///
    /// - Parameters:
    ///   - use: opens the device, and uses it as long as there is an order. It resets the wait before the
    ///     next try whenever the device works.
    ///   - failed: reports the error of a device. The device is tried again with the next order, or after a
    ///     wait, which grows with every failure.
    package func serve<Failure: Error>(
        _ use: (inout Retry) throws(Failure) -> Void, failed: (Failure) -> Void
    ) {
        var retry = Retry()
        while true {
            let now = contents.withLock { $0 }
            if now.isClosed { break }
            if now.order == nil {
                fellSilent()
                wait(after: now.postCount, for: .seconds(60))
                continue
            }
            do throws(Failure) {
                try use(&retry)
            } catch {
                failed(error)
                let count = contents.withLock { $0.postCount }
                if !isClosed { wait(after: count, for: retry.time) }
                retry.lengthen()
            }
        }
        fellSilent()
    }

    /// Waits for `time`, or until there is another order.
    private func wait(after postCount: Int, for time: Duration) {
        let end = ContinuousClock.now + time
        while contents.withLock({ $0.postCount == postCount }), ContinuousClock.now < end {
            wakePipe.wait(until: end)
        }
    }

    /// Marks the device as silent, because its thread has closed it. This does nothing if there is a new
    /// order meanwhile.
    private func fellSilent() {
        let waiting = contents.withLock { contents in
            guard contents.order == nil || contents.isClosed else {
                return [UInt64: CheckedContinuation<Void, Never>]()
            }
            contents.isSilent = true
            defer { contents.waiting = [:] }
            return contents.waiting
        }
        for one in waiting.values { one.resume() }
    }

    /// Returns when the device is silent, or after `patience`, because a kernel may block the thread for
    /// ever. If there is an order, it returns at once.
    package func silence(atMost patience: Duration = .seconds(2)) async {
        let number = contents.withLock { contents in
            contents.lastNumber += 1
            return contents.lastNumber
        }
        let alarm = Task {
            // The sleep is cancelled if the device was silent before: then nobody waits any more.
            try? await Task.sleep(for: patience)
            contents.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isSilent = contents.withLock { contents in
                // Another caller may have ordered something meanwhile; then there is nothing to wait for.
                let isSilent = contents.isSilent || (contents.order != nil && !contents.isClosed)
                if !isSilent { contents.waiting[number] = continuation }
                return isSilent
            }
            if isSilent { continuation.resume() }
        }
        alarm.cancel()
    }
}
