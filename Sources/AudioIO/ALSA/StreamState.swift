import CALSA
import Glibc
import Synchronization

/// The state that an audio thread and the owner of its stream share without waiting. It uses plain pointers,
/// like ``FrameRing``.
struct StreamState: @unchecked Sendable {
    private let counters: UnsafeMutablePointer<Atomic<Int>>
    private let semaphore: UnsafeMutablePointer<sem_t>

    enum Counter: Int, CaseIterable {
        /// The owner sets these flags.
        case stop, drain
        /// The thread sets these: the number of xruns of the device's own buffer; the number of times that it
        /// was opened again; the number of missing frames; the error by which it is lost, 0 while it is
        /// there; and 1 when the thread has ended.
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

    /// For the thread: signals that something has changed.
    func signal() { sem_post(semaphore) }

    /// For the owner: waits until something has changed; returns false if the time passes first.
    func wait(milliseconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        deadline.tv_nsec += (milliseconds % 1000) * 1_000_000
        deadline.tv_sec += milliseconds / 1000 + deadline.tv_nsec / 1_000_000_000
        deadline.tv_nsec %= 1_000_000_000
        return sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline) == 0
    }
}
