import Dispatch

/// An executor that calls handlers one at a time, in the order of the events that they report.
public struct GNSExecutor: Sendable {
    let run: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter run: must run each closure that it is given once, in order, one at a time.
    public init(run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

    /// The main thread: the main queue, which an app's run loop, `dispatchMain()` or an `async` main function
    /// serves.
    public static let main = GNSExecutor.queue(.main)

    /// - Parameter queue: a serial queue.
    public static func queue(_ queue: DispatchQueue) -> GNSExecutor {
        GNSExecutor { queue.async(execute: $0) }
    }
}
