import CPNG
import Picture
import Testing

@Suite struct PNGEncoderTests {
    /// libpng's reader gives back every pixel.
    @Test func comesBack() throws {
        var canvas = Canvas(width: 37, height: 11, background: Colour(0x123456))
        canvas.fill(Box(left: 3, top: 2, right: 30, bottom: 9), Colour(0xFFEE01))
        canvas[36, 10] = Colour(0x0A0B0C)
        let bytes = try #require(PNGEncoder.encode(canvas))

        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        try #require(png_image_begin_read_from_memory(&image, bytes, bytes.count) != 0)
        #expect(image.width == 37 && image.height == 11 && image.format == UInt32(PNG_FORMAT_FLAG_COLOR))
        var samples = [UInt8](repeating: 0, count: 3 * 37 * 11)
        try #require(png_image_finish_read(&image, nil, &samples, 0, nil) != 0)
        #expect(samples == canvas.pixels.flatMap { [$0.red, $0.green, $0.blue] })
    }

    /// Noise does not compress, and there is room for it all the same.
    @Test func incompressiblePixels() throws {
        var canvas = Canvas(width: 200, height: 200, background: Colour(0))
        var state: UInt32 = 1
        for y in 0..<200 {
            for x in 0..<200 {
                state = state &* 1_664_525 &+ 1_013_904_223
                canvas[x, y] = Colour(state >> 8)
            }
        }
        #expect(PNGEncoder.encode(canvas) != nil)
    }
}
