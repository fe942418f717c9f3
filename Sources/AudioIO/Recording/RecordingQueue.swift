import Glibc
import Synchronization

/// A queue of samples between a listener and the thread that writes them: a disk may be slow, a listener must
/// not wait.
final class RecordingQueue: Sendable {
    /// The most sound that waits for a disk.
    private static let mostSeconds = 60
    private static let writeMilliseconds = 250
    /// The time for which a source waits for room; a source without a clock is faster than any disk.
    private static let roomSeconds = 5

    /// A waiting piece of the recording.
    enum Piece: Sendable {
        case sound([UInt8])
        /// A number of bytes that are all 0.
        case silence(byteCount: Int)
    }

    private struct State {
        var bytes: [UInt8] = []
        /// The pieces before `bytes`.
        var pieces: [Piece] = []
        var waitingBytes = 0
        var isOver = false
        var failure: AudioIOError?
        var writtenBytes = 0
        var mostBytes = Int.max

        mutating func closePiece() {
            if !bytes.isEmpty { pieces.append(.sound(bytes)) }
            bytes = []
        }
    }

    private let state = Mutex(State())
    /// The signal that wakes the writing thread.
    private let owner = StreamState()

    deinit { owner.free() }

    func limit(bytesPerSecond: Int) {
        state.withLock { $0.mostBytes = RecordingQueue.mostSeconds * bytesPerSecond }
    }

    /// Adds samples; returns false if there has been no room for too long.
    func add(_ bytes: [UInt8]) -> Bool {
        for _ in 0..<1000 * RecordingQueue.roomSeconds {
            let isTaken = state.withLock { state in
                guard state.failure == nil else { return true }
                guard state.waitingBytes <= state.mostBytes else { return false }
                state.bytes += bytes
                state.waitingBytes += bytes.count
                return true
            }
            if isTaken { return true }
            usleep(1000)
        }
        return false
    }

    /// Adds so many bytes of silence, which take no room here.
    func addSilence(byteCount: Int) {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.closePiece()
            state.pieces.append(.silence(byteCount: byteCount))
        }
    }

    /// Ends the queue: nothing more is added.
    func end() {
        state.withLock { $0.isOver = true }
        owner.signal()
    }

    /// Returns everything that waits, a quarter of a second after the last time; `nil` at the end or after a
    /// failure.
    func next() -> [Piece]? {
        if !state.withLock({ $0.isOver }) { _ = owner.wait(milliseconds: RecordingQueue.writeMilliseconds) }
        return state.withLock { state in
            state.closePiece()
            guard state.failure == nil, !(state.isOver && state.pieces.isEmpty) else { return nil }
            defer { (state.pieces, state.waitingBytes) = ([], 0) }
            return state.pieces
        }
    }

    var failure: AudioIOError? { state.withLock { $0.failure } }

    /// Keeps the first failure; the queue takes nothing more.
    func fail(_ error: AudioIOError) {
        state.withLock { state in
            state.failure = state.failure ?? error
            (state.bytes, state.pieces, state.waitingBytes) = ([], [], 0)
        }
    }

    var writtenBytes: Int { state.withLock { $0.writtenBytes } }

    func wrote(_ bytes: Int) { state.withLock { $0.writtenBytes = bytes } }
}
