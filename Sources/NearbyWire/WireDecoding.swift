import FoundationEssentials

extension KeyedDecodingContainer {
    /// Decodes a number. For a number that does not fit, the decoder does not report the place.
    ///
    /// Throws: `DecodingError`; ``WireError`` for a number of another kind.
    func decodeNumber<Number: Decodable & Numeric>(_ type: Number.Type, _ key: Key) throws -> Number {
        do {
            return try decode(type, forKey: key)
        } catch DecodingError.dataCorrupted {
            throw misfit(type, key)
        } catch let error as DecodingError {
            throw error
        } catch {
            // Foundation's own error for numbers, which it has not converted to a `DecodingError`.
            throw misfit(type, key)
        }
    }

    /// Decodes a number that may be missing or null. Throws: as ``decodeNumber(_:_:)``.
    func decodeNumberIfPresent<Number: Decodable & Numeric>(
        _ type: Number.Type, _ key: Key
    ) throws -> Number? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decodeNumber(type, key)
    }

    /// Decodes bytes from base64. Throws: `DecodingError`; ``WireError`` for other text.
    func decodeBase64(_ key: Key) throws -> Data {
        let text = try decode(String.self, forKey: key)
        guard let data = LenientBase64.decode(text) else {
            throw WireError(
                WireError.place(codingPath + [key]), "expected base64, came '\(text.prefix(20))'")
        }
        return data
    }

    private func misfit<Number>(_ type: Number.Type, _ key: Key) -> WireError {
        let came: String
        do { came = "\(try decode(Double.self, forKey: key))" } catch { came = "one that no computer holds" }
        return WireError(
            WireError.place(codingPath + [key]), "expected \(WireError.words(type)), came \(came)")
    }
}

extension WireError {
    /// Returns a path in the notation of bodies: `publish[0].message.type`.
    static func place(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }

    init(_ error: DecodingError) {
        func path(_ context: DecodingError.Context) -> String { WireError.place(context.codingPath) }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(path(context), "'\(key.stringValue)' is missing")
        case .typeMismatch(let type, let context):
            self.init(path(context), "expected \(WireError.words(type)), came \(WireError.came(context))")
        case .valueNotFound(let type, let context):
            self.init(path(context), "expected \(WireError.words(type)), came null")
        case .dataCorrupted(let context):
            self.init(path(context), context.codingPath.isEmpty ? "no valid JSON" : "no valid value")
        @unknown default: self.init("", "no valid body")
        }
    }

    /// Returns the name of a type in the words of people who write JSON.
    static func words(_ type: any Any.Type) -> String {
        switch type {
        case is Bool.Type: "true or false"
        case is String.Type, is Data.Type: "a string"
        case is Double.Type, is Float.Type: "a number"
        case is any FixedWidthInteger.Type: "a whole number"
        default: "\(type)".hasPrefix("Array") ? "an array" : "an object"
        }
    }

    /// Returns what came in place of the expected type. The decoder says so only in its text: `Expected to
    /// decode Int64 but found a string instead.`
    private static func came(_ context: DecodingError.Context) -> String {
        let words = context.debugDescription
        guard let start = words.firstRange(of: "but found "), let end = words.firstRange(of: " instead"),
            start.upperBound < end.lowerBound
        else { return "something else" }
        switch words[start.upperBound..<end.lowerBound] {
        case "number": return "a number"
        case "bool": return "true or false"
        case "a dictionary": return "an object"
        case let other: return String(other)
        }
    }
}
