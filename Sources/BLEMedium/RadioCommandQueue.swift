import Nearby
import Synchronization

/// The state that a radio's thread and its users share: the order, and whether the radio is silent.
final class RadioCommandQueue: Sendable {
    private struct Contents {
        var order = RadioOrder.idle
        var isClosed = false
        /// True if the radio is closed.
        var isSilent = true
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
    }

    private let contents = Mutex(Contents())
    let wakePipe: WakePipe

    init() throws(BLEError) { wakePipe = try WakePipe() }

    var order: RadioOrder { contents.withLock { $0.isClosed ? .idle : $0.order } }
    var isClosed: Bool { contents.withLock { $0.isClosed } }
    var isSilent: Bool { contents.withLock { $0.isSilent } }

    func post(_ order: RadioOrder) {
        contents.withLock {
            $0.order = order
            if !order.isIdle && !$0.isClosed { $0.isSilent = false }
        }
        wakePipe.wake()
    }

    func close() {
        contents.withLock { $0.isClosed = true }
        wakePipe.wake()
    }

    /// Marks the radio as silent, because its thread has closed it; does nothing if there is a new order
    /// meanwhile.
    func fellSilent() {
        let waiting = contents.withLock { contents in
            guard contents.order.isIdle || contents.isClosed else {
                return [UInt64: CheckedContinuation<Void, Never>]()
            }
            contents.isSilent = true
            defer { contents.waiting = [:] }
            return contents.waiting
        }
        for one in waiting.values { one.resume() }
    }

    /// Returns when the radio is silent, or after `patience`, because a kernel may block the thread for ever.
    func silence(atMost patience: Duration = .seconds(2)) async {
        let number = contents.withLock { contents in
            contents.lastNumber += 1
            return contents.lastNumber
        }
        let alarm = Task {
            // The sleep is cancelled if the radio was silent before: then nobody waits any more.
            try? await Task.sleep(for: patience)
            contents.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isSilent = contents.withLock { contents in
                // Another caller may have ordered something meanwhile; then there is nothing to wait for.
                let isSilent = contents.isSilent || !contents.order.isIdle
                if !isSilent { contents.waiting[number] = continuation }
                return isSilent
            }
            if isSilent { continuation.resume() }
        }
        alarm.cancel()
    }
}
