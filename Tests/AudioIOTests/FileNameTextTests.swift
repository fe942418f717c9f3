import FileNames
import Testing

@Suite struct FileNameTextTests {
    /// Any bytes can be converted to text and back, and different bytes give different texts.
    @Test func reversible() {
        var texts: Set<String> = []
        var state: UInt64 = 7
        for _ in 0..<2000 {
            let bytes = (0..<6).map { _ -> UInt8 in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                // The bytes of an escape's own character come more often than others.
                return (state >> 60) < 9
                    ? [0xF4, 0x8F, 0xBE, 0xBF, 0x80][Int(state >> 33) % 5] : UInt8(state >> 40 & 0xFF)
            }
            let text = FileName.text(bytes)
            #expect(FileName.bytes(text) == bytes)
            texts.insert(String(describing: Array(text.unicodeScalars)))
        }
        #expect(texts.count > 1500)
    }

    @Test func onlyWhatIsNotUTF8IsEscaped() {
        #expect(FileName.text(Array("Grüße 🎵".utf8)) == "Grüße 🎵")
        #expect(!FileName.hasRawBytes("Grüße 🎵"))
        #expect(FileName.text([0x61, 0xE9, 0xC3, 0xA9]) == "a\u{10FFE9}é")
        #expect(FileName.text([0xF4, 0x8F, 0xBF, 0xA9]) == "\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFA9}")
    }

    @Test(arguments: [
        ("plain é", "plain é"), ("a\nb\tc\r", "a\\nb\tc\\r"),
        ("\0\u{1B}[1m\u{7F}", "\\u0000\\u001b[1m\\u007f"),
        ("\u{9B}\u{202E}\u{2028}\u{2066}", "\\u009b\\u202e\\u2028\\u2066"), ("\u{10FFE9}", "\\xe9"),
    ]) func shown(text: String, shown: String) {
        #expect(ShownText.escaped(text) == shown)
        #expect(ShownText.escaped(shown) == shown)
    }
}
