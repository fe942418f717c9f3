import FoundationEssentials

/// Bodies ⇄ values.
public enum WireCoding {
    /// A value as JSON, keys sorted: the same bytes for the same value. Numbers must be finite.
    public static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(value) } catch { preconditionFailure("strings and numbers: \(error)") }
    }

    /// Throws: ``WireError``, one line.
    public static func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data
    ) throws(WireError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let error as WireError {
            throw error
        } catch let error as DecodingError {
            throw WireError(error)
        } catch {
            throw WireError("", "JSON, which this is not")
        }
    }
}

extension WireError {
    /// A path as bodies write it: `publish[0].message.type`.
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
        case .typeMismatch(let type, let context): self.init(path(context), "another type than \(type)")
        case .valueNotFound(let type, let context): self.init(path(context), "null instead of \(type)")
        case .dataCorrupted(let context):
            self.init(path(context), context.codingPath.isEmpty ? "no valid JSON" : "no valid value")
        @unknown default: self.init("", "no valid body")
        }
    }
}
