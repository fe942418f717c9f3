import Nearby
import Testing

/// Tests of both alphabets. The vectors are those of RFC 4648, 10.
@Suite struct Base64Tests {
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func vectors(plain: String, coded: String) {
        #expect(Base64.text(Array(plain.utf8)) == coded)
        let unpadded = String(coded.prefix(while: { $0 != "=" }))
        #expect(Base64.urlText(Array(plain.utf8)) == unpadded)
        #expect(Base64.bytes(ofURLText: unpadded) == Array(plain.utf8))
    }

    @Test func theLastTwoDigits() {
        #expect(Base64.text([0xFB, 0xEF, 0xFF]) == "++//")
        #expect(Base64.urlText([0xFB, 0xEF, 0xFF]) == "--__")
        #expect(Base64.bytes(ofURLText: "--__") == [0xFB, 0xEF, 0xFF])
    }

    @Test(arguments: ["++//", "A", "Zh", "Zg=="]) func whatIsNotWrittenIsRefused(text: String) {
        #expect(Base64.bytes(ofURLText: text) == nil)
    }
}
