import AudioIO
import Picture

/// A PNG: there whole or not at all. Made before the work whose picture it takes, so that a name that cannot be used is
/// refused at once.
package struct PictureFile {
    private let path: AudioPath
    private let file: OutputFile

    /// - Parameter inputs: every file that the command reads.
    ///
    /// Throws: as ``AudioIO/OutputFile``.
    package init(_ path: AudioPath, inputs: [AudioPath]) throws(AudioIOError) {
        self.path = path
        file = try OutputFile(path, inputs: inputs)
    }

    package func write(_ canvas: Canvas) throws {
        guard let bytes = PNGEncoder.encode(canvas) else {
            throw CommandFailure(.unavailable, "\(path): libpng cannot make a picture: out of memory")
        }
        try file.write(bytes)
        try file.commit()
    }
}
