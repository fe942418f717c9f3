import CPNG
import Foundation
import TestSupport
import Testing

/// A picture under `Fixtures/pictures`, with which a program's picture is compared.
/// `UPDATE_PICTURES=1 Tools/test ReadmeOrderTests` writes it anew.
struct PictureFixture {
    let name: String

    /// The pixels of a PNG, three bytes each.
    private struct Pixels {
        var width: Int
        var height: Int
        var bytes: [UInt8]

        init?(_ png: [UInt8]) {
            var image = png_image()
            image.version = UInt32(PNG_IMAGE_VERSION)
            defer { png_image_free(&image) }
            guard png_image_begin_read_from_memory(&image, png, png.count) != 0 else { return nil }
            image.format = UInt32(PNG_FORMAT_FLAG_COLOR)
            (width, height) = (Int(image.width), Int(image.height))
            bytes = [UInt8](repeating: 0, count: 3 * width * height)
            guard png_image_finish_read(&image, nil, &bytes, 0, nil) != 0 else { return nil }
        }
    }

    /// Returns the share of pixels of which a colour differs from the fixture's by more than a tenth of its
    /// range. Processors round differently, which moves a shade by a step or two.
    func differingShare(_ png: [UInt8]) throws -> Double {
        let path = Repository.path("Fixtures/pictures/\(name)")
        if ProcessInfo.processInfo.environment["UPDATE_PICTURES"] != nil {
            try Data(png).write(to: URL(fileURLWithPath: path))
        }
        let known = try #require(Pixels([UInt8](Data(contentsOf: URL(fileURLWithPath: path)))))
        let made = try #require(Pixels(png))
        guard (made.width, made.height) == (known.width, known.height) else { return 1 }
        let count = stride(from: 0, to: made.bytes.count, by: 3).count { n in
            (n..<n + 3).contains { abs(Int(made.bytes[$0]) - Int(known.bytes[$0])) > 25 }
        }
        return Double(count) / Double(made.width * made.height)
    }
}
