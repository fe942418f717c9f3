import Logging
import NearbyService
import Synchronization

/// What is refused, for whoever runs the server. What operators should know of is a warning, the rest is for debugging; neither has
/// anything of what a request said.
///
/// Who is refused may ask as often as it likes, and so each kind of warning is said once a second, with how many there were.
final class RefusalLog: Sendable {
    private struct Kind: Sendable {
        var last: ContinuousClock.Instant
        var suppressed = 0
    }

    private let logger: Logger
    private let kinds = Mutex<[String: Kind]>([:])

    init(_ logger: Logger) { self.logger = logger }

    /// - Parameters:
    ///   - path: of the request, as routes have it.
    ///   - who: asked; nil: nobody that has a secret.
    func note(
        _ refusal: ServiceRefusal, path: String, who: Secret?, now: ContinuousClock.Instant = .now
    ) {
        switch refusal {
        case .tooMuch(let limit, _): warn("too many \(limit.rawValue)", metadata(path, who), now)
        case .overLimit: warn("more than a device may have", metadata(path, who), now)
        case .unavailable(let error):
            warn("not available", metadata(path, who).merging(["error": "\(error)"]) { _, new in new }, now)
        case .malformed: debug("malformed", path, who)
        case .unknown: debug("unknown", path, who)
        case .incomplete: debug("incomplete", path, who)
        case .elsewhere: debug("elsewhere", path, who)
        }
    }

    private func debug(_ why: String, _ path: String, _ who: Secret?) {
        logger.debug("refused: \(why)", metadata: metadata(path, who))
    }

    private func warn(_ why: String, _ metadata: Logger.Metadata, _ now: ContinuousClock.Instant) {
        let suppressed = kinds.withLock { kinds -> Int? in
            if let last = kinds[why]?.last, last.duration(to: now) < .seconds(1) {
                kinds[why]!.suppressed += 1
                return nil
            }
            return kinds.updateValue(Kind(last: now), forKey: why)?.suppressed ?? 0
        }
        guard let suppressed else { return }
        var metadata = metadata
        if suppressed > 0 { metadata["moreBefore"] = "\(suppressed)" }
        logger.warning("refused: \(why)", metadata: metadata)
    }

    private func metadata(_ path: String, _ who: Secret?) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["path": "\(path)"]
        if let who { metadata["who"] = "\(who)" }
        return metadata
    }
}
