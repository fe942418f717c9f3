import Logging
import Synchronization

/// A log for warnings that strangers can cause. It writes one line a minute of each kind, with the number of
/// warnings, so that strangers cannot fill the disk.
final class LimitedLog: Sendable {
    private struct Kind: Sendable {
        var last: ContinuousClock.Instant
        /// The number of warnings since the last line.
        var count = 0
    }

    static let pause = Duration.seconds(60)

    let logger: Logger
    private let kinds = Mutex<[String: Kind]>([:])

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - words: The words for what happened. There must be few different ones, because each is remembered.
    ///   - count: The number of times it happened.
    ///   - metadata: The metadata of this warning, not of those that were left out before.
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
