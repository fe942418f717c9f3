import NIOCore

/// The time until which something must have happened on a connection, or else the connection is told so. On its event loop alone.
///
/// One timer for all deadlines: it is set anew when it fires, or when a deadline is earlier.
final class Deadline {
    private let loop: any EventLoop
    private let isOver: () -> Void
    private var time: NIODeadline?
    private var timer: Scheduled<Void>?
    private var timerTime = NIODeadline.distantFuture

    /// - Parameter isOver: called on the loop when nothing has happened in time.
    init(on loop: any EventLoop, isOver: @escaping () -> Void) { (self.loop, self.isOver) = (loop, isOver) }

    /// From now on, in place of what was set before.
    func set(_ patience: TimeAmount) {
        time = .now() + patience
        schedule()
    }

    /// Nothing is waited for.
    func clear() { time = nil }

    /// Nothing will be waited for any more.
    func cancel() {
        time = nil
        timer?.cancel()
    }

    private func schedule() {
        guard let time, timer == nil || time < timerTime else { return }
        timer?.cancel()
        timerTime = time
        let bound = NIOLoopBound(self, eventLoop: loop)
        timer = loop.scheduleTask(deadline: time) { bound.value.fire() }
    }

    private func fire() {
        timer = nil
        guard let time else { return }
        if time <= .now() { isOver() } else { schedule() }
    }
}

@available(*, unavailable)
extension Deadline: Sendable {}
