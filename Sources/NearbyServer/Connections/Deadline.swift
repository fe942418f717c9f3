import NIOCore

/// The time by which something must have happened on a connection. If it has not, the deadline calls a
/// closure. It is used on the connection's event loop alone.
///
/// One timer serves all deadlines: it is set anew when it fires, or when a deadline is earlier.
final class Deadline {
    private let loop: any EventLoop
    private let isOver: () -> Void
    private var time: NIODeadline?
    private var timer: Scheduled<Void>?
    private var timerTime = NIODeadline.distantFuture

    /// - Parameter isOver: Called on the loop when nothing has happened in time.
    init(on loop: any EventLoop, isOver: @escaping () -> Void) { (self.loop, self.isOver) = (loop, isOver) }

    /// Sets the deadline, counted from now. It replaces the previous one.
    func set(_ patience: TimeAmount) {
        time = .now() + patience
        schedule()
    }

    /// Clears the deadline. The timer may stay set.
    func clear() { time = nil }

    /// Clears the deadline and cancels the timer.
    func cancel() {
        time = nil
        timer?.cancel()
        timer = nil
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
