/// A key of the configuration file: its name, its explanation, and the place of its value. Everything that
/// reads, prints or checks settings uses the one list ``all``.
package struct Setting: Sendable {
    package let path: String
    /// The explanation in lines of at most 100 letters.
    package let about: [String]
    package let value: @Sendable (ServiceConfiguration) -> SettingValue
    /// Takes a value. Returns `nil`, or a text that says what was expected in its place.
    package let take: @Sendable (inout ServiceConfiguration, SettingValue) -> String?

    package var table: Substring { path.prefix { $0 != "." } }
    package var key: Substring { path.dropFirst(table.count + 1) }

    typealias Place<Value> = WritableKeyPath<ServiceConfiguration, Value> & Sendable

    /// - Parameters:
    ///   - expected: the expected value in words.
    ///   - written: converts a value to the form in which a file writes it.
    ///   - read: converts it back, and returns `nil` if it is not what was expected.
    private init<Value>(
        _ path: String, _ place: Place<Value>, _ about: [String], expected: String,
        written: @escaping @Sendable (Value) -> SettingValue,
        read: @escaping @Sendable (SettingValue) -> Value?
    ) {
        (self.path, self.about) = (path, about)
        value = { written($0[keyPath: place]) }
        take = { configuration, value in
            guard let value = read(value) else { return expected }
            configuration[keyPath: place] = value
            return nil
        }
    }

    static func text(_ path: String, _ place: Place<String>, _ about: String...) -> Setting {
        Setting(path, place, about, expected: "a text", written: { .text($0) }, read: { Setting.text($0) })
    }

    static func choice(
        _ path: String, _ place: Place<String>, _ words: [String], _ about: String...
    ) -> Setting {
        Setting(
            path, place, about, expected: "one of \(words.joined(separator: ", "))", written: { .text($0) },
            read: { value in Setting.text(value).flatMap { words.contains($0) ? $0 : nil } })
    }

    static func boolean(_ path: String, _ place: Place<Bool>, _ about: String...) -> Setting {
        Setting(
            path, place, about, expected: "true or false", written: { .boolean($0) },
            read: { if case .boolean(let isTrue) = $0 { isTrue } else { nil } })
    }

    static func integer(
        _ path: String, _ place: Place<Int>, _ range: ClosedRange<Int>, _ about: String...
    ) -> Setting {
        Setting(
            path, place, about,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)",
            written: { .integer($0) },
            read: { value in
                guard case .integer(let number) = value, range.contains(number) else { return nil }
                return number
            })
    }

    static func number(
        _ path: String, _ place: Place<Double>, _ range: ClosedRange<Double>, _ about: String...
    ) -> Setting {
        Setting(
            path, place, about, expected: "a number from \(range.lowerBound) to \(range.upperBound)",
            written: { .number($0) }, read: { Setting.number($0, in: range) })
    }

    /// Makes a setting that is a span from the first number to the second, which is not smaller.
    static func span(
        _ path: String, _ place: Place<[Double]>, _ range: ClosedRange<Double>, _ about: String...
    ) -> Setting {
        Setting(
            path, place, about,
            expected: "two numbers from \(range.lowerBound) to \(range.upperBound), the smaller one first",
            written: { .list($0.map { .number($0) }) },
            read: { value in
                guard case .list(let values) = value, values.count == 2 else { return nil }
                let numbers = values.compactMap { Setting.number($0, in: range) }
                return numbers.count == 2 && numbers[0] <= numbers[1] ? numbers : nil
            })
    }

    static func texts(_ path: String, _ place: Place<[String]>, _ about: String...) -> Setting {
        Setting(
            path, place, about, expected: "a list of texts", written: { .list($0.map { .text($0) }) },
            read: { value in
                guard case .list(let values) = value else { return nil }
                let texts = values.compactMap { Setting.text($0) }
                return texts.count == values.count ? texts : nil
            })
    }

    /// Reads a text. It refuses one that contains a zero, because C's texts end at a zero.
    private static func text(_ value: SettingValue) -> String? {
        guard case .text(let text) = value, !text.utf8.contains(0) else { return nil }
        return text
    }

    /// Reads a number. A whole number is one too.
    private static func number(_ value: SettingValue, in range: ClosedRange<Double>) -> Double? {
        let number: Double
        switch value {
        case .number(let value): number = value
        case .integer(let value): number = Double(value)
        default: return nil
        }
        return range.contains(number) ? number : nil
    }
}
