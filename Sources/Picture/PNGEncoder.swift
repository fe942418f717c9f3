import CPNG

/// An encoder of a canvas to the bytes of a PNG file: eight bits for each of red, green and blue.
package enum PNGEncoder {
    /// Returns the bytes; `nil` only if libpng runs out of memory.
    package static func encode(_ canvas: Canvas) -> [UInt8]? {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(canvas.width)
        image.height = UInt32(canvas.height)
        image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
        defer { png_image_free(&image) }
        let samples = canvas.pixels.flatMap { [$0.red, $0.green, $0.blue] }
        // Incompressible pixels grow by a thousandth; the file's own chunks are a few hundred bytes.
        var byteCount = samples.count + samples.count / 64 + 4096
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard png_image_write_to_memory(&image, &bytes, &byteCount, 0, samples, 0, nil) != 0 else {
            return nil
        }
        return Array(bytes[..<byteCount])
    }
}
