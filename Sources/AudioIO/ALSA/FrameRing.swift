import Glibc
import Synchronization

/// A ring of frames between two threads: one writes, one reads, and neither waits for the other.
///
///     read ─▶ ▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓░░░░░░░░░░░ ◀─ write   positions count on; a place is position mod capacity
///                     ▲ gap: so many frames are missing before this one
///
/// It uses plain pointers, so that the audio thread touches no reference counts. Its creator frees it, after
/// both threads have ended.
struct FrameRing: @unchecked Sendable {
    let channelCount: Int
    /// The number of frames; a power of two.
    let capacity: Int
    /// Interleaved. `[capacity][channelCount]`
    private let samples: UnsafeMutablePointer<Float>
    private let written: UnsafeMutablePointer<Atomic<Int>>
    private let read: UnsafeMutablePointer<Atomic<Int>>
    private let gaps: GapRing
    /// For the writer: the position of the next frame, after those that are not yet published.
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
        // The samples stay in memory where the system allows it; otherwise nothing changes.
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

    /// The number of frames that wait to be read.
    var count: Int {
        written.pointee.load(ordering: .acquiring) - read.pointee.load(ordering: .acquiring)
    }

    /// For the writer: the number of frames for which there is room.
    var freeCount: Int { capacity - (next.pointee - read.pointee.load(ordering: .acquiring)) }

    /// For the writer: writes up to `frames` interleaved frames, as many as there is room for; returns how
    /// many.
    func write(_ source: UnsafePointer<Float>, frames: Int) -> Int {
        let count = append(source, frames: frames)
        publish()
        return count
    }

    /// Like ``write(_:frames:)``, but the reader does not see the frames before ``publish()``.
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

    /// For the writer: lets the reader see all appended frames.
    func publish() { written.pointee.store(next.pointee, ordering: .releasing) }

    /// For the writer: the position of the next appended frame.
    var end: Int { next.pointee }

    /// For the writer: records that so many frames are missing before the next appended ones.
    func skip(frames: Int) { gaps.add(frames) }

    /// For the writer: records missing frames before `position`, among frames that are not published yet.
    func skip(frames: Int, before position: Int) {
        gaps.add(frames)
        if position < end { _ = gaps.settle(before: position) }
    }

    /// For the reader: returns the number of frames that are missing before the next one, and forgets it.
    func takeGap() -> Int {
        let first = read.pointee.load(ordering: .relaxed)
        // A gap is recorded before the frames after it, so these must exist too.
        guard written.pointee.load(ordering: .acquiring) > first else { return 0 }
        return gaps.take(before: first)
    }

    /// For the reader: reads up to `frames` frames, as many as there are up to the next gap; returns how
    /// many.
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
