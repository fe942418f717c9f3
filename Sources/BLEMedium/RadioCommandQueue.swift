import Nearby
import Synchronization

/// What a radio's thread and its users leave for each other.
final class RadioCommandQueue: Sendable {
    private struct Contents {
        var order = RadioOrder.idle
        var isClosed = false
        /// It has nothing open.
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

    /// The thread has let the radio go; unless there is something to do again.
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

    /// Returns when the radio does nothing any more; or after a while, for a kernel may keep its thread for ever.
    func silence(atMost patience: Duration = .seconds(2)) async {
        let number = contents.withLock { contents in
            contents.lastNumber += 1
            return contents.lastNumber
        }
        let alarm = Task {
            // Cancelled when it was silent before: nobody waits any more.
            try? await Task.sleep(for: patience)
            contents.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isSilent = contents.withLock { contents in
                // Somebody else may have asked for more meanwhile: nothing to wait for.
                let isSilent = contents.isSilent || !contents.order.isIdle
                if !isSilent { contents.waiting[number] = continuation }
                return isSilent
            }
            if isSilent { continuation.resume() }
        }
        alarm.cancel()
    }
}
