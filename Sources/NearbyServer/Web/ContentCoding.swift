/// The codings in which the bytes of a file are sent (RFC 9110 §8.4.1).
enum ContentCoding: String, Sendable, CaseIterable {
    // The smallest coding stands first. A client that likes two equally gets the first.
    case brotli = "br"
    case gzip
    case identity

    /// The suffix of a file's name in this coding.
    var suffix: String {
        switch self {
        case .brotli: ".br"
        case .gzip: ".gz"
        case .identity: ""
        }
    }

    /// Returns the available coding that a client likes best (RFC 9110 §12.5.3). A client that accepts none
    /// of them gets `identity`.
    ///
    /// - Parameter accepted: The values of the client's `Accept-Encoding`; empty if it has none.
    static func preferred(_ accepted: [String], among available: some Sequence<ContentCoding>) -> Self {
        let preferences = Preferences(accepted)
        var best = (coding: identity, quality: preferences.quality(of: identity))
        // The order is from the largest to the smallest, so that the smallest of equals stays.
        for coding in allCases.reversed() where available.contains(coding) {
            let quality = preferences.quality(of: coding)
            if quality > 0, quality >= best.quality { best = (coding, quality) }
        }
        return best.coding
    }

    /// A client's preferences for codings, each from 0 (never) to 1.
    private struct Preferences {
        /// The preference for `identity` if the client does not name it: an unpacked file is better than
        /// nothing.
        private static let leastQuality = 0.000_1
        private var named: [Substring: Double] = [:]

        init(_ fields: [String]) {
            for element in fields.flatMap({ $0.split(separator: ",") }) {
                let parts = element.split(separator: ";", omittingEmptySubsequences: false)
                    .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased()[...] }
                guard let name = parts.first, !name.isEmpty else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
                // An invalid weight is ignored together with its coding, as if the client had not named it.
                guard let quality = weight.map({ Double($0.dropFirst(2)) }) ?? 1, (0...1).contains(quality)
                else { continue }
                named[name == "x-gzip" ? "gzip" : name] = quality
            }
        }

        func quality(of coding: ContentCoding) -> Double {
            named[coding.rawValue[...]] ?? named["*"] ?? (coding == .identity ? Self.leastQuality : 0)
        }
    }
}
