// Summaries for the log: counts and prefixes, never contents or whole tokens.

extension MediumAssignment {
    var summary: String {
        let broadcasts = broadcast.map { "broadcast " + $0.payloads.map(\.summary).joined(separator: " ") }
        let words = [broadcasts, isScanning ? "scan" : nil, beacons == nil ? nil : "beacons"].compactMap {
            $0
        }
        return words.isEmpty ? "idle" : words.joined(separator: ", ")
    }
}

extension Sighting.Payload {
    var summary: String {
        switch self {
        case .token(let token): token.prefix
        case .audioBytes(let bytes): "\(bytes.bytes.count) bytes"
        case .sealed(let frame): "\(frame.bytes.count) sealed bytes"
        }
    }
}

extension Report {
    var summary: String {
        "\(observations.count) token(s), \(heard.count) frame(s), \(published.count) publication(s), \(subscribed.count) subscription(s), "
            + "\(ended.count) ended, \(playing.count) playing, \(wantsTokens.count) wanted"
    }
}
