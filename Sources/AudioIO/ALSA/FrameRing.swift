import Glibc
import Synchronization

/// Frames on their way from one thread to another: one writes, one reads, neither waits for the other.
///
///     read ─▶ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░ ◀─ write      positions count on for ever; a place is position mod capacity
///
/// Plain pointers, so that the audio thread touches no reference counts. Whoever makes it frees it, after both threads.
struct FrameRing: @unchecked Sendable {
    let channelCount: Int
    /// Frames; a power of two.
    let capacity: Int
    /// Interleaved. `[capacity][channelCount]`
    private let samples: UnsafeMutablePointer<Float>
    private let written: UnsafeMutablePointer<Atomic<Int>>
    private let read: UnsafeMutablePointer<Atomic<Int>>

    init(channelCount: Int, atLeast frames: Int) {
        self.channelCount = channelCount
        capacity = 1 << (Int.bitWidth - (max(2, frames) - 1).leadingZeroBitCount)
        samples = .allocate(capacity: capacity * channelCount)
        samples.initialize(repeating: 0, count: capacity * channelCount)
        written = .allocate(capacity: 1)
        read = .allocate(capacity: 1)
        written.initialize(to: Atomic(0))
        read.initialize(to: Atomic(0))
        // Kept in memory where that is allowed; where not, all the same.
        _ = mlock(samples, capacity * channelCount * MemoryLayout<Float>.stride)
    }

    func free() {
        _ = munlock(samples, capacity * channelCount * MemoryLayout<Float>.stride)
        samples.deallocate()
        written.deinitialize(count: 1).deallocate()
        read.deinitialize(count: 1).deallocate()
    }

    /// Frames that wait to be read.
    var count: Int {
        written.pointee.load(ordering: .acquiring) - read.pointee.load(ordering: .acquiring)
    }

    var freeCount: Int { capacity - count }

    /// The writer's: up to `frames` interleaved frames, as many as there is room for; returns how many.
    func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
        let first = written.pointee.load(ordering: .relaxed)
        let count = min(frames, capacity - (first - read.pointee.load(ordering: .acquiring)))
        var done = 0
        while done < count {
            let place = (first + done) & (capacity - 1)
            let part = min(count - done, capacity - place)
            (samples + place * channelCount).update(
                from: source + done * channelCount, count: part * channelCount)
            done += part
        }
        written.pointee.store(first + count, ordering: .releasing)
        return count
    }

    /// The reader's: up to `frames` frames, as many as there are; returns how many.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let first = read.pointee.load(ordering: .relaxed)
        let count = min(frames, written.pointee.load(ordering: .acquiring) - first)
        var done = 0
        while done < count {
            let place = (first + done) & (capacity - 1)
            let part = min(count - done, capacity - place)
            (target + done * channelCount).update(
                from: samples + place * channelCount, count: part * channelCount)
            done += part
        }
        read.pointee.store(first + count, ordering: .releasing)
        return count
    }
}
