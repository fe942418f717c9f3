import FoundationEssentials

/// The coding of values as bodies and back.
package enum WireCoding {
    /// Encodes a value as JSON with sorted keys: the same bytes for the same value. Numbers must be finite.
    package static func encode(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do { return try encoder.encode(value) } catch { preconditionFailure("strings and numbers: \(error)") }
    }

    /// Decodes a body. Throws: ``WireError``, one line.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from body: Data
    ) throws(WireError) -> Value {
        try JSONSyntax.check(body)
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
