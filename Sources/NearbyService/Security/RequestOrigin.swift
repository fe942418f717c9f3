/// The web page that a request comes from, as its browser states it in `Origin` (RFC 6454). Web keys are
/// valid for some pages only.
///
/// A program that is not a browser may state any origin. A web key keeps out the pages of others in the
/// browsers of people who know nothing of it.
package enum RequestOrigin: Sendable, Hashable {
    /// The request states no origin; no browser sends such a request.
    case none
    /// The page that the server itself serves.
    case own(String)
    /// A page of another site, or `null`, which stands for no site.
    case other(String)
    /// Another instance has already checked the origin and passed the request on.
    case checked
}

extension WebKey {
    /// Checks that the key is valid for the page. Throws: `.foreign`.
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
