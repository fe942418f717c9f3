import CALSA
import Glibc
import Synchronization

/// What an audio thread and the owner of its stream tell each other, without waiting. Plain pointers, as ``FrameRing``.
struct StreamState: @unchecked Sendable {
    private let counters: UnsafeMutablePointer<Atomic<Int>>
    private let semaphore: UnsafeMutablePointer<sem_t>

    enum Counter: Int, CaseIterable {
        /// Set by the owner.
        case stop, drain
        /// Set by the thread: the device's own buffer ran over or dry; it was opened again; frames that are missing; the error that it is lost by, 0 while it is there; the thread has ended.
        case xruns, reopenings, lostFrames, lossCode, ended
    }

    init() {
        counters = .allocate(capacity: Counter.allCases.count)
        for counter in Counter.allCases { (counters + counter.rawValue).initialize(to: Atomic(0)) }
        semaphore = .allocate(capacity: 1)
        semaphore.initialize(to: sem_t())
        sem_init(semaphore, 0, 0)
    }

    func free() {
        counters.deinitialize(count: Counter.allCases.count).deallocate()
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    subscript(counter: Counter) -> Int {
        get { counters[counter.rawValue].load(ordering: .acquiring) }
        nonmutating set { counters[counter.rawValue].store(newValue, ordering: .releasing) }
    }

    func count(_ counter: Counter, _ more: Int = 1) {
        counters[counter.rawValue].add(more, ordering: .acquiringAndReleasing)
    }

    /// The thread's: something has changed.
    func signal() { sem_post(semaphore) }

    /// The owner's: until something has changed, or the time is over: false.
    func wait(milliseconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_nsec += (milliseconds % 1000) * 1_000_000
        deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        return sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline) == 0
    }
}
