import AsyncHTTPClient
import FoundationEssentials
import Nearby
import NearbyWire

/// Errors as one line for people, without stack traces and secrets.
enum OneLine {
    static func of(_ error: any Error, without secrets: [String]) -> String {
        switch error {
        case let error as TimedOut: "no answer for \(error.limit)"
        // `description` would contain header values.
        case let error as HTTPClientError:
            words("\(error)".prefix(80)) ?? error.shortDescription.lowercased()
        case let error as TooLarge: "an answer of more than \(error.limit) bytes"
        case is CancellationError: "cancelled"
        default:
            // NIO's HTTP parser throws an error whose type this client cannot name.
            String(reflecting: type(of: error)).contains("HTTPParserError")
                ? "it does not speak HTTP: is the port right?"
                : words("\(error)") ?? of("\(error)", without: secrets)
        }
    }

    /// Replaces messages of the system and of TLS, which are long and name source files, by short words.
    private static func words(_ text: some StringProtocol) -> String? {
        known.first { text.contains($0.sign) }?.words
    }

    private static let known = [
        (sign: "Connection refused", words: "connection refused: is it running, and is the port right?"),
        (sign: "Connection reset", words: "it broke the connection off"),
        (sign: "remoteConnectionClosed", words: "it closed the connection: does it want https://?"),
        (
            sign: "CERTIFICATE_VERIFY_FAILED",
            words: "its certificate is not trusted: --trust (server.trust, trustRoots) names a file of others"
        ),
        (sign: "failedToValidateHostname", words: "its certificate is for another name"),
        (sign: "WRONG_VERSION_NUMBER", words: "it does not speak TLS: http:// instead of https://?"),
        (sign: "handshakeFailed", words: "it does not speak TLS as we do"),
        (sign: "noSuchFilesystemObject", words: "the file of trusted certificates cannot be read"),
        (sign: "NO_CERTIFICATE_OR_CRL_FOUND", words: "the file of trusted certificates has none"),
        (sign: "UnknownHost", words: "no such name"),
        (sign: "connectTimeout", words: "no connection in time: is the address right?"),
        (sign: "invalidURL", words: "its address is no URL"),
        (sign: "No route to host", words: "no route to it"),
        (sign: "Network is unreachable", words: "the network is unreachable"),
        (sign: "Too many open files", words: "this process has too many open files"),
    ]

    /// Returns the first line, without secrets and control characters, cut to 200 characters.
    static func of(_ text: String, without secrets: [String]) -> String {
        var line = String(text.prefix { !$0.isNewline })
        for secret in secrets where !secret.isEmpty { line = line.replacing(secret, with: "…") }
        return String(line.filter { !$0.isControl }.prefix(200))
    }
}

extension Web.Reply {
    /// Maps a status that is not a success to an error for the engine.
    ///
    /// - Parameter secrets: texts that the error must not contain, even if the server repeats them.
    func failure(without secrets: [String]) -> RegistryError {
        switch status {
        case 401, 409: .unknownDevice
        case 429: .rateLimited(retryAfter: retryAfter)
        case 400, 403, 413, 415:
            // Without the words of a Nearby server, the answer comes from a proxy or another server. Such an
            // answer refuses nothing for good.
            refusal(without: secrets) == nil
                ? .unreachable(line(without: secrets)) : .refused(line(without: secrets))
        default: .unreachable(line(without: secrets))
        }
    }

    /// Maps the status of a request that carried the project's API key.
    func failure(ofKey key: String) -> RegistryError {
        guard status == 401 else { return failure(without: [key]) }
        return .refused(
            "the server does not know this API key (status 401): it is wrong, revoked or another server's; "
                + "'nearby keys list' there tells which are valid, 'nearby keys create' makes one")
    }

    func line(without secrets: [String]) -> String {
        if let words = refusal(without: secrets) { return "status \(status): \(words)" }
        switch status {
        case 300..<400:
            let place = OneLine.of(location ?? "nowhere", without: secrets)
            return "status \(status): it redirects to \(place); give that address"
        case 500...: return "status \(status), from a proxy or another kind of server"
        default: return "status \(status), and not from a Nearby server: is the address right?"
        }
    }

    /// Returns the reason that a Nearby server gives for a refusal; `nil` if there is none, or if the answer
    /// is from another server.
    private func refusal(without secrets: [String]) -> String? {
        guard body.count <= 1 << 16 else { return nil }
        do throws(WireError) {
            let words = OneLine.of(
                try WireCoding.decode(WireRefusal.self, from: body).error, without: secrets)
            return words.isEmpty ? nil : words
        } catch {
            return nil
        }
    }
}

extension Character {
    fileprivate var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}
