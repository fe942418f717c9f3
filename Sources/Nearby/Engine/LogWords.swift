// What the log says of things: counts and prefixes, never contents or whole tokens.

extension MediumAssignment {
    var summary: String {
        guard let broadcast else { return isScanning ? "scan" : "idle" }
        let what = broadcast.payloads.map(\.summary).joined(separator: " ")
        return "broadcast \(what)" + (isScanning ? ", scan" : "")
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
