import AudioIO
import Picture

/// A PNG: there whole or not at all. Made before the work whose picture it takes, so that a name that cannot be used is
/// refused at once.
package struct PictureFile {
    private let path: AudioPath
    private let file: OutputFile

    /// - Parameter inputs: every file that the command reads.
    ///
    /// Throws: `.unfitOutput` for the name of another format; as ``AudioIO/OutputFile``.
    package init(_ path: AudioPath, inputs: [AudioPath]) throws(AudioIOError) {
        self.path = path
        file = try OutputFile(path, inputs: inputs)
        if let end = OutputFile.ending(of: path), end.lowercased() != "png" {
            throw AudioIOError(
                .unfitOutput, path,
                "a name that ends in .\(end) asks for a format that is not drawn here; end it in .png")
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
