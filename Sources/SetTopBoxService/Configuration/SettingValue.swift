/// A setting's value in the form in which a configuration file writes it.
package enum SettingValue: Sendable, Hashable {
    case text(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    case list([SettingValue])
    /// A value that no setting has, such as a date or a table.
    case other(String)

    /// The kind of value, in words for people.
    package var kind: String {
        switch self {
        case .text: "a text"
        case .integer, .number: "a number"
        case .boolean: "true or false"
        case .list: "a list"
        case .other(let kind): kind
        }
    }

    /// The value in TOML.
    package var toml: String {
        switch self {
        case .text(let text): SettingValue.quoted(text)
        case .integer(let number): String(number)
        case .number(let number): "\(number)"
        case .boolean(let isTrue): isTrue ? "true" : "false"
        case .list(let values): "[\(values.map(\.toml).joined(separator: ", "))]"
        case .other(let kind): kind
        }
    }

    /// Returns a basic string (TOML 1.0.0).
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127:
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
