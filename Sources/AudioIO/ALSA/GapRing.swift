import Synchronization

/// Where frames of a ``FrameRing`` are missing, on their way from its writer to its reader. Plain pointers, as there.
struct GapRing: @unchecked Sendable {
    private struct Gap {
        /// The missing frames would have stood before this one of the ring.
        var position: Int
        var frames: Int
    }

    private static let capacity = 64

    private let gaps: UnsafeMutablePointer<Gap>
    private let written: UnsafeMutablePointer<Atomic<Int>>
    private let read: UnsafeMutablePointer<Atomic<Int>>
    /// The writer's: missing before the frame that comes next.
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

    /// The writer's: so many more are missing.
    func add(_ frames: Int) { pending.pointee += frames }

    /// The writer's, before it writes frames from `position` on: puts down what is missing. False when there is no room for that.
    func settle(before position: Int) -> Bool {
        guard pending.pointee > 0 else { return true }
        let index = written.pointee.load(ordering: .relaxed)
        guard index - read.pointee.load(ordering: .acquiring) < GapRing.capacity else { return false }
        gaps[index % GapRing.capacity] = Gap(position: position, frames: pending.pointee)
        pending.pointee = 0
        written.pointee.store(index + 1, ordering: .releasing)
        return true
    }

    /// The reader's: the position that frames are missing before; nil without any.
    var next: Int? {
        let index = read.pointee.load(ordering: .relaxed)
        guard index < written.pointee.load(ordering: .acquiring) else { return nil }
        return gaps[index % GapRing.capacity].position
    }

    /// The reader's: how many are missing before `position`, told once.
    func take(before position: Int) -> Int {
        guard next == position else { return 0 }
        let index = read.pointee.load(ordering: .relaxed)
        let frames = gaps[index % GapRing.capacity].frames
        read.pointee.store(index + 1, ordering: .releasing)
        return frames
    }
}
