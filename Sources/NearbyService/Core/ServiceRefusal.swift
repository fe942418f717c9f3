import Nearby

/// Why a request is not taken; nothing of it is.
///
/// Indirect, as all errors of a stated type that asynchronous functions throw here: larger than a word, Swift 6.3 frees them in
/// the wrong order, and the process ends with "freed pointer was not the last allocation".
public indirect enum ServiceRefusal: Error, Sendable, Hashable {
    /// The body is not what was expected.
    case malformed(String)
    /// Neither a key nor a device, or not any more. Which of these is not told.
    case unknown
    /// A web key, and not for the page that asks; one line.
    case foreign(String)
    /// This device must say everything.
    case incomplete
    /// More than there may be of something; not again before that time is over.
    case tooMuch(ServiceLimit, retryAfter: Duration)
    /// The store does not answer.
    case unavailable(String)
    /// Another instance serves this project: `http://host:port`.
    case elsewhere(ProjectID, address: String)
}

extension ServiceRefusal: CustomStringConvertible {
    public var description: String {
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
