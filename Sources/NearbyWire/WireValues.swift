import FoundationEssentials
import Nearby

/// ``Message`` as JSON, with the content in base64.
package struct WireMessage: Codable, Sendable, Hashable {
    /// The namespace, at most 255 Unicode scalars, or `nil` if it is the project's own.
    package var namespace: String?
    /// The type, at most `Message.maximumTypeCharacterCount` characters and 255 Unicode scalars, or `nil` if
    /// it is empty.
    package var type: String?
    /// The content, at most `Message.maximumContentByteCount` bytes, as base64 in JSON.
    package var content: Data

    /// Encodes a message. It omits an empty namespace and an empty type.
    package init(_ message: Message) {
        namespace = message.namespace.isEmpty ? nil : message.namespace
        type = message.type.isEmpty ? nil : message.type
        content = Data(message.content)
    }

    /// Throws: `DecodingError`; ``WireError`` for content that is not base64.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        namespace = try body.decodeIfPresent(String.self, forKey: .namespace)
        type = try body.decodeIfPresent(String.self, forKey: .type)
        content = try body.decodeBase64(.content)
    }

    func value(_ place: String) throws(WireError) -> Message {
        try WireName.check(namespace, "\(place).namespace")
        try WireName.check(type, "\(place).type")
        do throws(NearbyError) {
            return try Message(content, type: type ?? "", namespace: namespace ?? "")
        } catch {
            throw WireError(place, error.description)
        }
    }
}

/// ``Strategy`` as JSON. It omits what a registry need not know, for example whether the background is
/// allowed.
package struct WireStrategy: Codable, Sendable, Hashable {
    /// One or both of `audio` and `ble`.
    package var media: [String]
    /// One or both of `broadcast` and `scan`.
    package var mode: [String]
    /// The reach, `anywhere` or `earshot`; `nil` means `anywhere`.
    package var reach: String?
    /// True if each device must hear the other; `nil` means false.
    package var isMutual: Bool?
    /// The time in milliseconds after which a publication ends by itself, counted anew from each report that
    /// names it; at most a day. `nil` if it ends with its device.
    package var timeToLiveMillis: Int64?

    /// Encodes a strategy. It omits the default values: any reach, not mutual, no time to live.
    package init(_ strategy: Strategy) {
        media = strategy.media.sorted().map(\.rawValue)
        mode = Role.allCases.filter { strategy.mode.contains($0.mode) }.map(\.rawValue)
        reach = strategy.reach == .anywhere ? nil : strategy.reach.rawValue
        isMutual = strategy.isMutual ? true : nil
        timeToLiveMillis = strategy.timeToLive.map(\.wireMillis)
    }

    /// Throws: `DecodingError`; ``WireError`` for a list of media or modes with more than
    /// ``WireLimits/words`` entries.
    package init(from decoder: any Decoder) throws {
        let body = try decoder.container(keyedBy: CodingKeys.self)
        media = try body.decodeRequiredList(String.self, .media, upTo: WireLimits.words)
        mode = try body.decodeRequiredList(String.self, .mode, upTo: WireLimits.words)
        reach = try body.decodeIfPresent(String.self, forKey: .reach)
        isMutual = try body.decodeIfPresent(Bool.self, forKey: .isMutual)
        timeToLiveMillis = try body.decodeNumberIfPresent(Int64.self, .timeToLiveMillis)
    }

    func value(_ place: String) throws(WireError) -> Strategy {
        var strategy = Strategy(media: [], mode: [])
        for name in media { strategy.media.insert(try Medium(wire: name, "\(place).media")) }
        for name in mode {
            guard let role = Role(rawValue: name) else {
                throw WireError("\(place).mode", "broadcast or scan, not '\(name.prefix(20))'")
            }
            strategy.mode.formUnion(role.mode)
        }
        if let reach {
            guard let known = Strategy.Reach(rawValue: reach) else {
                throw WireError("\(place).reach", "anywhere or earshot, not '\(reach.prefix(20))'")
            }
            strategy.reach = known
        }
        strategy.isMutual = isMutual ?? false
        strategy.timeToLive = timeToLiveMillis.map { .milliseconds($0) }
        do throws(NearbyError) { try strategy.validate() } catch { throw WireError(place, error.description) }
        return strategy
    }
}

/// A rule of a ``MessageFilter`` as JSON: a namespace, and perhaps one type of it.
package struct WireRule: Codable, Sendable, Hashable {
    /// The namespace, at most 255 Unicode scalars, or `nil` if it is the project's own.
    package var namespace: String?
    /// The type, or `nil` if the rule is for every type.
    package var type: String?

    init?(_ rule: MessageFilter.Rule) {
        switch rule {
        case .namespace(let name): (namespace, type) = (name.isEmpty ? nil : name, nil)
        case .type(let type, let name): (namespace, self.type) = (name.isEmpty ? nil : name, type)
        case .audioBytes: return nil
        }
    }

    func value(_ place: String) throws(WireError) -> MessageFilter.Rule {
        try WireName.check(namespace, "\(place).namespace")
        try WireName.check(type, "\(place).type")
        return type.map { .type($0, namespace: namespace ?? "") } ?? .namespace(namespace ?? "")
    }
}

enum WireName {
    /// Throws: ``WireError`` if the name is too long to be kept for everyone.
    static func check(_ name: String?, _ place: String) throws(WireError) {
        guard let name, name.unicodeScalars.count > Message.maximumNameScalarCount else { return }
        throw WireError(
            place, "at most \(Message.maximumNameScalarCount) characters, not \(name.unicodeScalars.count)")
    }
}

extension Medium {
    init(wire name: String, _ place: @autoclosure () -> String) throws(WireError) {
        guard let known = Medium(rawValue: name) else {
            let names = Medium.allCases.map(\.rawValue).joined(separator: ", ")
            throw WireError(place(), "one of \(names), not '\(name.prefix(20))'")
        }
        self = known
    }
}

extension Token {
    init(wire text: String, _ place: @autoclosure () -> String) throws(WireError) {
        if let token = Token(text) {
            self = token
            return
        }
        // The standard alphabet and padding are accepted too, as everywhere in requests.
        let plain = text.hasSuffix("=") && text.utf8.count == 12 ? text.dropLast() : text[...]
        let known = plain.replacing("+", with: "-").replacing("/", with: "_")
        guard let token = Token(String(known)) else {
            throw WireError(place(), "11 characters of base64url, not '\(text.prefix(20))'")
        }
        self = token
    }
}

extension OperationID {
    init(wire number: Int64, _ place: @autoclosure () -> String) throws(WireError) {
        guard number > 0 else { throw WireError(place(), "a number over 0, not \(number)") }
        self.init(UInt64(number))
    }

    var wire: Int64 { Int64(clamping: number) }
}

extension Duration {
    var wireMillis: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
