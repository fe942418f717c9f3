import Logging
import Synchronization

/// Warnings that strangers can cause: one line a minute of each kind, with how many there were. Strangers fill no disk.
final class LimitedLog: Sendable {
    private struct Kind: Sendable {
        var last: ContinuousClock.Instant
        /// Since the last line.
        var count = 0
    }

    static let pause = Duration.seconds(60)

    let logger: Logger
    private let kinds = Mutex<[String: Kind]>([:])

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - words: say what happened; one of few, as each is remembered.
    ///   - count: how often it happened.
    ///   - metadata: of this time; not of those that were left out before.
    func warn(
        _ words: String, count: Int = 1, _ metadata: @autoclosure () -> Logger.Metadata = [:],
        now: ContinuousClock.Instant = .now
    ) {
        let leftOut = kinds.withLock { kinds -> Int? in
            if let last = kinds[words]?.last, last.duration(to: now) < LimitedLog.pause {
                kinds[words]!.count += count
                return nil
            }
            return kinds.updateValue(Kind(last: now), forKey: words)?.count ?? 0
        }
        guard let leftOut else { return }
        var metadata = metadata()
        if count > 1 { metadata["count"] = "\(count)" }
        if leftOut > 0 { metadata["moreBefore"] = "\(leftOut)" }
        logger.warning("\(words)", metadata: metadata)
    }
}
