import Nearby

/// The reason why a request is refused. Nothing of a refused request is processed.
///
/// The type is indirect, as are all errors of typed throws in asynchronous functions here. Swift 6.3 frees
/// errors larger than a word in the wrong order, and the process ends with "freed pointer was not the last
/// allocation".
package indirect enum ServiceRefusal: Error, Sendable, Hashable {
    /// The body is not in the expected form.
    case malformed(String)
    /// The key or device is not known, or no longer known. The refusal does not say which.
    case unknown
    /// The web key is not valid for the page that asks. The text is one line.
    case foreign(String)
    /// The device must send a complete report.
    case incomplete
    /// A limit is exceeded. The request may be repeated after this time.
    case tooMuch(ServiceLimit, retryAfter: Duration)
    /// The store does not answer.
    case unavailable(String)
    /// Another instance serves this project at the address `http://host:port`.
    case elsewhere(ProjectID, address: String)
}

extension ServiceRefusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let line), .foreign(let line): line
        case .unknown: "no key or device that this server knows: check the API key; a device registers again"
        case .incomplete: "the server does not know what this device was told: send a complete report"
        case .tooMuch(let limit, let time):
            "too many \(limit.rawValue): again in \(Int(time.inSeconds.rounded(.up))) s"
        case .unavailable(let why): "the store does not answer (\(why)): again later"
        case .elsewhere(let project, _): "project \(project) is moving to another instance: again later"
        }
    }
}
