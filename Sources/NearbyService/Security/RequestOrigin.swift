/// The web page that a request comes from, as its browser says in `Origin` (RFC 6454): web keys are for some pages alone.
///
/// A program that is no browser may say what it likes. What a web key keeps out are the pages of others, in the browsers of people who
/// know nothing of it.
public enum RequestOrigin: Sendable, Hashable {
    /// It does not say: no browser sends this.
    case none
    /// The page that the server itself has.
    case own(String)
    /// A page of somebody else, or one that is nobody's: `null`.
    case other(String)
    /// Another instance has looked at it, and passed the request on.
    case checked
}

extension WebKey {
    /// Throws: `.foreign`.
    func check(_ origin: RequestOrigin) throws(ServiceRefusal) {
        switch origin {
        case .checked: break
        case .none: throw .foreign("a web key is for web pages: expected the Origin of one, came none")
        case .own(let text):
            if !origins.isEmpty, !origins.contains(text) { throw WebKey.refusal(text, "other pages") }
        case .other(let text):
            if !origins.contains(text) {
                throw WebKey.refusal(text, origins.isEmpty ? "the server's own page" : "other pages")
            }
        }
    }

    private static func refusal(_ origin: String, _ pages: String) -> ServiceRefusal {
        .foreign("this web key is for \(pages), not for those of '\(origin.prefix(80))'")
    }
}
