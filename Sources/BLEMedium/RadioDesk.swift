import Nearby
import Synchronization

/// What a radio's thread and its users leave for each other.
final class RadioDesk: Sendable {
    private struct Papers {
        var order = RadioOrder.idle
        var isClosed = false
        /// It has nothing open.
        var isSilent = true
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var lastNumber: UInt64 = 0
    }

    private let papers = Mutex(Papers())
    let bell: Bell

    init() throws(BLEError) { bell = try Bell() }

    var order: RadioOrder { papers.withLock { $0.isClosed ? .idle : $0.order } }
    var isClosed: Bool { papers.withLock { $0.isClosed } }
    var isSilent: Bool { papers.withLock { $0.isSilent } }

    func post(_ order: RadioOrder) {
        papers.withLock {
            $0.order = order
            if !order.isIdle && !$0.isClosed { $0.isSilent = false }
        }
        bell.ring()
    }

    func close() {
        papers.withLock { $0.isClosed = true }
        bell.ring()
    }

    /// The thread has let the radio go; unless there is something to do again.
    func fellSilent() {
        let waiting = papers.withLock { papers in
            guard papers.order.isIdle || papers.isClosed else {
                return [UInt64: CheckedContinuation<Void, Never>]()
            }
            papers.isSilent = true
            defer { papers.waiting = [:] }
            return papers.waiting
        }
        for one in waiting.values { one.resume() }
    }

    /// Returns when the radio does nothing any more; or after a while, for a kernel may keep its thread for ever.
    func silence(atMost patience: Duration = .seconds(2)) async {
        let number = papers.withLock { papers in
            papers.lastNumber += 1
            return papers.lastNumber
        }
        let alarm = Task {
            // Cancelled when it was silent before: nobody waits any more.
            try? await Task.sleep(for: patience)
            papers.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isSilent = papers.withLock { papers in
                // Somebody else may have asked for more meanwhile: nothing to wait for.
                let isSilent = papers.isSilent || !papers.order.isIdle
                if !isSilent { papers.waiting[number] = continuation }
                return isSilent
            }
            if isSilent { continuation.resume() }
        }
        alarm.cancel()
    }
}
