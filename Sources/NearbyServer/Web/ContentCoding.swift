/// How the bytes of a file are packed for the way (RFC 9110 §8.4.1).
enum ContentCoding: String, Sendable, CaseIterable {
    // The smallest first: of two that a client likes alike it gets the first.
    case brotli = "br"
    case gzip
    case identity

    /// What stands behind a file's name when it is packed so.
    var suffix: String {
        switch self {
        case .brotli: ".br"
        case .gzip: ".gz"
        case .identity: ""
        }
    }

    /// The one that a client likes best of those that there are (RFC 9110 §12.5.3). Who accepts none of them gets `identity`.
    ///
    /// - Parameter accepted: values of its `Accept-Encoding`; none: it has said nothing.
    static func preferred(_ accepted: [String], among available: some Sequence<ContentCoding>) -> Self {
        let wishes = Wishes(accepted)
        var best = (coding: identity, quality: wishes.quality(of: identity))
        // From the largest to the smallest, so that of equals the smallest stays.
        for coding in allCases.reversed() where available.contains(coding) {
            let quality = wishes.quality(of: coding)
            if quality > 0, quality >= best.quality { best = (coding, quality) }
        }
        return best.coding
    }

    /// What a client says of codings, each from 0, never, to 1.
    private struct Wishes {
        /// Without a word of it, what is not packed is better than nothing.
        private static let leastQuality = 0.000_1
        private var named: [Substring: Double] = [:]

        init(_ fields: [String]) {
            for element in fields.flatMap({ $0.split(separator: ",") }) {
                let parts = element.split(separator: ";", omittingEmptySubsequences: false)
                    .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased()[...] }
                guard let name = parts.first, !name.isEmpty else { continue }
                let weight = parts.dropFirst().first { $0.hasPrefix("q=") }
                // A weight that is none makes its coding one that the client has not named.
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
