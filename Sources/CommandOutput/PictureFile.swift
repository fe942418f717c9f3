import AudioIO
import Picture

/// A PNG file that appears whole or not at all. A command creates it before its work, so that an unusable
/// name is refused at once.
package struct PictureFile {
    private let path: AudioPath
    private let file: OutputFile

    /// - Parameter inputs: every file that the command reads.
    ///
    /// Throws: `.unfitOutput` if the name ends in another format; the errors of ``AudioIO/OutputFile``.
    package init(_ path: AudioPath, inputs: [AudioPath]) throws(AudioIOError) {
        self.path = path
        file = try OutputFile(path, inputs: inputs)
        if let end = OutputFile.ending(of: path), end.lowercased() != "png" {
            throw AudioIOError(
                .unfitOutput, path,
                "a name that ends in .\(end) asks for a format that is not supported; use .png")
        }
    }

    package func write(_ canvas: Canvas) throws {
        guard let bytes = PNGEncoder.encode(canvas) else {
            throw CommandFailure(.unavailable, "\(path): libpng cannot make a picture: out of memory")
        }
        try file.write(bytes)
        try file.commit()
    }
}
