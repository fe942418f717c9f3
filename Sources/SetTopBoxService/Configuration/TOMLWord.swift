/// The values that stand without quotes: true, false, numbers, dates and times.
enum TOMLWord {
    /// Returns the word's value; `nil` if it is none of them.
    static func value(_ word: String) -> SettingValue? {
        switch word {
        case "true": .boolean(true)
        case "false": .boolean(false)
        case "inf", "+inf": .number(.infinity)
        case "-inf": .number(-.infinity)
        case "nan", "+nan", "-nan": .number(.nan)
        default: isDate(word) ? .other("a date or time") : integer(word) ?? float(word)
        }
    }

    /// Returns the digits without the single `_` that may stand between them; `nil` if other characters
    /// occur.
    private static func digits(_ text: Substring, radix: Int) -> String? {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        let isGood = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { Int(String(UnicodeScalar($0)), radix: radix) != nil }
        }
        return isGood ? parts.joined() : nil
    }

    private static func integer(_ word: String) -> SettingValue? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
            return digits(word.dropFirst(2), radix: radix).flatMap { Int($0, radix: radix) }
                .map { .integer($0) }
        }
        let (sign, rest) = signed(word)
        guard let digits = digits(rest, radix: 10), digits == "0" || !digits.hasPrefix("0") else {
            return nil
        }
        return Int(sign + digits).map { .integer($0) }
    }

    private static func signed(_ word: String) -> (sign: String, rest: Substring) {
        if word.hasPrefix("-") { return ("-", word.dropFirst()) }
        return ("", word.hasPrefix("+") ? word.dropFirst() : word[...])
    }

    /// Reads a whole part with a fraction, an exponent or both.
    private static func float(_ word: String) -> SettingValue? {
        let (sign, rest) = signed(word)
        let halves = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard let mantissa = halves.first else { return nil }
        let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, parts.count + halves.count > 2, let whole = digits(first, radix: 10),
            whole == "0" || !whole.hasPrefix("0")
        else { return nil }
        var text = sign + whole
        if parts.count == 2 {
            guard let fraction = digits(parts[1], radix: 10) else { return nil }
            text += "." + fraction
        }
        if halves.count == 2 {
            let (sign, rest) = signed(String(halves[1]))
            guard let exponent = digits(rest, radix: 10) else { return nil }
            text += "e" + sign + exponent
        }
        return Double(text).map { .number($0) }
    }

    /// Returns true for RFC 3339's dates, times and both. It checks only the places of the digits and their
    /// ranges.
    private static func isDate(_ word: String) -> Bool {
        let letters = Array(word.utf8)
        guard letters.count >= 10, letters[4] == UInt8(ascii: "-") else {
            return isTime(letters[...], hasOffset: false)
        }
        guard let month = number(letters[5...], 2), let day = number(letters[8...], 2),
            number(letters[...], 4) != nil, letters[7] == UInt8(ascii: "-"), (1...12).contains(month),
            (1...31).contains(day)
        else { return false }
        if letters.count == 10 { return true }
        return [UInt8(ascii: "T"), UInt8(ascii: "t"), 0x20].contains(letters[10])
            && isTime(letters[11...], hasOffset: true)
    }

    private static func number(_ letters: ArraySlice<UInt8>, _ count: Int) -> Int? {
        let digits = letters.prefix(count)
        guard digits.count == count, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Returns true for a time such as 07:32:00, perhaps with a fraction of a second and an offset.
    private static func isTime(_ letters: ArraySlice<UInt8>, hasOffset: Bool) -> Bool {
        var rest = letters
        for (n, most) in [23, 59, 59].enumerated() {
            if n > 0 {
                guard rest.first == UInt8(ascii: ":") else { return false }
                rest = rest.dropFirst()
            }
            guard let value = number(rest, 2), value <= most else { return false }
            rest = rest.dropFirst(2)
        }
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return false }
            rest = rest.dropFirst(1 + digits.count)
        }
        guard hasOffset, let first = rest.first else { return rest.isEmpty }
        if first | 0x20 == UInt8(ascii: "z") { return rest.count == 1 }
        let offset = Array(rest.dropFirst())
        guard [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(first), offset.count == 5,
            offset[2] == UInt8(ascii: ":"), let hours = number(offset[...], 2),
            let minutes = number(offset[3...], 2)
        else { return false }
        return hours <= 23 && minutes <= 59
    }
}
