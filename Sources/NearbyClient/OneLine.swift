import AsyncHTTPClient
import FoundationEssentials
import Nearby
import NearbyWire

/// What went wrong, in a line for people: no stack, no secret.
enum OneLine {
    static func of(_ error: any Error, without secrets: [String]) -> String {
        switch error {
        case let error as TimedOut: "no answer for \(error.limit)"
        // Not `description`: it has header values in it.
        case let error as HTTPClientError: error.shortDescription.lowercased()
        case let error as TooLarge: "an answer of more than \(error.limit) bytes"
        case is CancellationError: "cancelled"
        default: words("\(error)") ?? of("\(error)", without: secrets)
        }
    }

    /// For what the system and TLS say, which is long, and names files of whoever built them.
    private static func words(_ text: String) -> String? {
        known.first { text.contains($0.sign) }?.words
    }

    private static let known = [
        (sign: "Connection refused", words: "connection refused"),
        (sign: "CERTIFICATE_VERIFY_FAILED", words: "its certificate is not trusted"),
        (sign: "handshakeFailed", words: "it does not speak TLS as we do"),
        (sign: "noSuchFilesystemObject", words: "the file of trusted certificates cannot be read"),
        (sign: "NO_CERTIFICATE_OR_CRL_FOUND", words: "the file of trusted certificates has none"),
        (sign: "UnknownHost", words: "no such name"),
    ]

    /// Up to its first line break, 200 characters of it.
    static func of(_ text: String, without secrets: [String]) -> String {
        var line = String(text.prefix { !$0.isNewline })
        for secret in secrets where !secret.isEmpty { line = line.replacing(secret, with: "…") }
        return String(line.filter { !$0.isControl }.prefix(200))
    }
}

extension Web.Reply {
    /// What a status other than that of success means to the engine.
    ///
    /// - Parameter secrets: not to be repeated, even if the server does.
    func failure(without secrets: [String]) -> RegistryError {
        switch status {
        case 401, 409: .unknownDevice
        case 400, 403, 413: .refused(line(without: secrets))
        case 429: .rateLimited(retryAfter: retryAfter)
        default: .unreachable(line(without: secrets))
        }
    }

    func line(without secrets: [String]) -> String {
        let refusal = body.count <= 1 << 16 ? try? WireCoding.decode(WireRefusal.self, from: body) : nil
        let words = refusal.map { OneLine.of($0.error, without: secrets) } ?? ""
        return words.isEmpty ? "status \(status)" : "status \(status): \(words)"
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
