extension [UInt8] {
    /// Reads the bytes of hexadecimal text such as `00ff`. Returns `nil` for any other text.
    package init?(hexadecimal text: String) {
        guard text.utf8.count % 2 == 0 else { return nil }
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.utf8.count else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
