import Glibc
import Synchronization

/// Frames on their way from one thread to another: one writes, one reads, neither waits for the other.
///
///     read ─▶ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░ ◀─ write      positions count on for ever; a place is position mod capacity
///                     ▲ gap: so many frames are missing before this one
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
    private let gaps: GapRing
    /// The writer's: where it goes on, the frames that are not published included.
    private let next: UnsafeMutablePointer<Int>

    init(channelCount: Int, atLeast frames: Int) {
        self.channelCount = channelCount
        capacity = 1 << (Int.bitWidth - (max(2, frames) - 1).leadingZeroBitCount)
        samples = .allocate(capacity: capacity * channelCount)
        samples.initialize(repeating: 0, count: capacity * channelCount)
        written = .allocate(capacity: 1)
        read = .allocate(capacity: 1)
        written.initialize(to: Atomic(0))
        read.initialize(to: Atomic(0))
        gaps = GapRing()
        next = .allocate(capacity: 1)
        next.initialize(to: 0)
        // Kept in memory where that is allowed; where not, all the same.
        _ = mlock(samples, capacity * channelCount * MemoryLayout<Float>.stride)
    }

    func free() {
        _ = munlock(samples, capacity * channelCount * MemoryLayout<Float>.stride)
        samples.deallocate()
        written.deinitialize(count: 1).deallocate()
        read.deinitialize(count: 1).deallocate()
        gaps.free()
        next.deallocate()
    }

    /// Frames that wait to be read.
    var count: Int {
        written.pointee.load(ordering: .acquiring) - read.pointee.load(ordering: .acquiring)
    }

    /// The writer's: room for so many more.
    var freeCount: Int { capacity - (next.pointee - read.pointee.load(ordering: .acquiring)) }

    /// The writer's: up to `frames` interleaved frames, as many as there is room for; returns how many.
    func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
        let count = append(source, frames: frames)
        publish()
        return count
    }

    /// As ``write(_:frames:)``, for frames that the reader does not see before ``publish()``.
    func append(_ source: UnsafePointer<Float>, frames: Int) -> Int {
        let first = next.pointee
        let count = min(frames, capacity - (first - read.pointee.load(ordering: .acquiring)))
        guard count > 0, gaps.settle(before: first) else { return 0 }
        var done = 0
        while done < count {
            let place = (first + done) & (capacity - 1)
            let part = min(count - done, capacity - place)
            (samples + place * channelCount).update(
                from: source + done * channelCount, count: part * channelCount)
            done += part
        }
        next.pointee = first + count
        return count
    }

    /// The writer's: the reader may have all that was appended.
    func publish() { written.pointee.store(next.pointee, ordering: .releasing) }

    /// The writer's: the position of the frame that is appended next.
    var end: Int { next.pointee }

    /// The writer's: so many frames are missing before those that are appended next.
    func skip(frames: Int) { gaps.add(frames) }

    /// The same of frames that are not published yet, from `position` on.
    func skip(frames: Int, before position: Int) {
        gaps.add(frames)
        if position < end { _ = gaps.settle(before: position) }
    }

    /// The reader's: how many frames are missing before the next one, told once.
    func takeGap() -> Int {
        let first = read.pointee.load(ordering: .relaxed)
        // Put down before the frames after it: they must be there, too.
        guard written.pointee.load(ordering: .acquiring) > first else { return 0 }
        return gaps.take(before: first)
    }

    /// The reader's: up to `frames` frames, as many as there are up to the next gap; returns how many.
    func read(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let first = read.pointee.load(ordering: .relaxed)
        let there = min(frames, written.pointee.load(ordering: .acquiring) - first)
        let count = min(there, (gaps.next ?? .max) - first)
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
