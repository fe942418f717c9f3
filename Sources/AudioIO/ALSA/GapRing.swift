import Synchronization

/// A queue of the gaps in a ``FrameRing``, from its writer to its reader. It uses plain pointers for the same
/// reason.
struct GapRing: @unchecked Sendable {
    private struct Gap {
        /// The position of the frame before which frames are missing.
        var position: Int
        var frames: Int
    }

    private static let capacity = 64

    private let gaps: UnsafeMutablePointer<Gap>
    private let written: UnsafeMutablePointer<Atomic<Int>>
    private let read: UnsafeMutablePointer<Atomic<Int>>
    /// For the writer: the number of frames that are missing before the next frame.
    private let pending: UnsafeMutablePointer<Int>

    init() {
        gaps = .allocate(capacity: GapRing.capacity)
        gaps.initialize(repeating: Gap(position: 0, frames: 0), count: GapRing.capacity)
        written = .allocate(capacity: 1)
        read = .allocate(capacity: 1)
        pending = .allocate(capacity: 1)
        written.initialize(to: Atomic(0))
        read.initialize(to: Atomic(0))
        pending.initialize(to: 0)
    }

    func free() {
        gaps.deallocate()
        pending.deallocate()
        written.deinitialize(count: 1).deallocate()
        read.deinitialize(count: 1).deallocate()
    }

    /// For the writer: records that so many more frames are missing.
    func add(_ frames: Int) { pending.pointee += frames }

    /// For the writer, before it writes frames from `position` on: stores the pending gap. Returns false if
    /// there is no room for it.
    func settle(before position: Int) -> Bool {
        guard pending.pointee > 0 else { return true }
        let index = written.pointee.load(ordering: .relaxed)
        guard index - read.pointee.load(ordering: .acquiring) < GapRing.capacity else { return false }
        gaps[index % GapRing.capacity] = Gap(position: position, frames: pending.pointee)
        pending.pointee = 0
        written.pointee.store(index + 1, ordering: .releasing)
        return true
    }

    /// For the reader: the position before which frames are missing; `nil` if there is no gap.
    var next: Int? {
        let index = read.pointee.load(ordering: .relaxed)
        guard index < written.pointee.load(ordering: .acquiring) else { return nil }
        return gaps[index % GapRing.capacity].position
    }

    /// For the reader: returns the number of frames that are missing before `position`, and forgets it.
    func take(before position: Int) -> Int {
        guard next == position else { return 0 }
        let index = read.pointee.load(ordering: .relaxed)
        let frames = gaps[index % GapRing.capacity].frames
        read.pointee.store(index + 1, ordering: .releasing)
        return frames
    }
}
