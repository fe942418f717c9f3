/// One JSON object with its members in the order of their addition. Reference: RFC 8259.
package struct JSONObject: CustomStringConvertible {
    private var members = ""

    package init() {}

    package mutating func add(_ name: String, _ value: String?) {
        append(name, value.map(JSONObject.quoted) ?? "null")
    }
    package mutating func add(_ name: String, _ value: Bool) { append(name, value ? "true" : "false") }
    package mutating func add(_ name: String, _ value: Int) { append(name, String(value)) }

    package mutating func add(_ name: String, orNull value: Bool?) {
        append(name, value.map { $0 ? "true" : "false" } ?? "null")
    }

    package mutating func add(_ name: String, orNull value: Int?) {
        append(name, value.map { String($0) } ?? "null")
    }

    /// Adds a number, rounded to `places` decimals; null if it is not finite.
    package mutating func add(_ name: String, _ value: Double, places: Int) {
        append(name, value.isFinite ? FixedPoint.text(value, places: places) : "null")
    }

    /// - Parameter elements: the elements, already encoded as JSON.
    package mutating func add(_ name: String, _ elements: [String]) {
        append(name, "[\(elements.joined(separator: ","))]")
    }

    /// Adds a list of numbers, each rounded to `places` decimals; null for each that is not finite.
    package mutating func add(_ name: String, _ values: [Double], places: Int) {
        add(name, values.map { $0.isFinite ? FixedPoint.text($0, places: places) : "null" })
    }

    package mutating func add(_ name: String, _ objects: [JSONObject]) {
        add(name, objects.map(\.description))
    }

    private mutating func append(_ name: String, _ value: String) {
        if !members.isEmpty { members += "," }
        members += JSONObject.quoted(name)
        members += ":"
        members += value
    }

    package var description: String { "{" + members + "}" }

    /// Encodes a text as a JSON string. A byte that is not UTF-8 becomes a lone surrogate such as `\udce9`,
    /// which Python writes and reads too.
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            default:
                if let byte = FileName.byte(scalar) {
                    quoted += "\\udc\(ShownText.hex(UInt32(byte), digits: 2))"
                } else if scalar.value < 0x20 {
                    quoted += "\\u\(ShownText.hex(scalar.value, digits: 4))"
                } else {
                    quoted += ShownText.escape(scalar) ?? String(Character(scalar))
                }
            }
        }
        return quoted + "\""
    }
}
