import Logging
import NearbyService

/// A log of refused requests. A refusal that operators should know of is a warning, the others are for
/// debugging. Neither contains anything from the request besides its path and the secret's short form.
struct RefusalLog: Sendable {
    let limited: LimitedLog

    init(_ limited: LimitedLog) { self.limited = limited }

    /// - Parameters:
    ///   - path: The path of the request, as routes have it.
    ///   - who: The secret of the requester; `nil` if it showed none.
    func note(_ refusal: ServiceRefusal, path: String, who: Secret?) {
        switch refusal {
        case .tooMuch(let limit, _): warn("too many \(limit.rawValue)", path, who)
        case .unavailable(let error): warn("not available", path, who, ["error": "\(error)"])
        case .malformed: debug("malformed", path, who)
        case .unknown: debug("unknown", path, who)
        case .foreign: debug("foreign", path, who)
        case .incomplete: debug("incomplete", path, who)
        case .elsewhere: debug("elsewhere", path, who)
        }
    }

    private func debug(_ why: String, _ path: String, _ who: Secret?) {
        limited.logger.debug("refused: \(why)", metadata: metadata(path, who))
    }

    private func warn(_ why: String, _ path: String, _ who: Secret?, _ more: Logger.Metadata = [:]) {
        limited.warn("refused: \(why)", metadata(path, who).merging(more) { _, new in new })
    }

    private func metadata(_ path: String, _ who: Secret?) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["path": "\(path)"]
        if let who { metadata["who"] = "\(who)" }
        return metadata
    }
}
