import Picture
import Testing

@Suite struct BitmapFontTests {
    /// Every letter except the space has ink, no two are alike, and a character that is not ASCII is a box.
    @Test func lettersDiffer() {
        func dots(_ code: UInt32) -> [Bool] {
            let scalar = Unicode.Scalar(code) ?? " "
            return (0..<BitmapFont.heightDots).flatMap { y in
                (0..<5).map { BitmapFont.standard.hasInk(scalar, x: $0, y: y) }
            }
        }
        let letters = (32..<127 as Range<UInt32>).map(dots)
        #expect(Set(letters).count == 95)
        #expect(letters[0].allSatisfy { !$0 })
        #expect(dots(0x20AC) == dots(7) && !letters.contains(dots(7)))
        #expect(!BitmapFont.standard.hasInk("H", x: -1, y: 0) && !BitmapFont.standard.hasInk("H", x: 0, y: 8))
    }
}
