import Glibc

/// The identity of a file, by device and inode. All names of one file give equal values, however they are
/// spelled (`./`, links, bind mounts, an open descriptor).
struct FileIdentity: Hashable {
    private let device: UInt64
    private let inode: UInt64

    /// Creates the identity of a file that writing could destroy; `nil` if there is no file, and for a pipe,
    /// a terminal or a device without contents.
    ///
    /// - Parameter standardStream: the descriptor that `-` stands for.
    init?(_ path: AudioPath, standardStream: Int32) {
        var status = stat()
        let isThere =
            switch path {
            case .standardStream: fstat(standardStream, &status) == 0
            case .file(let name): stat(name, &status) == 0
            case .device: false
            }
        guard isThere, [S_IFREG, S_IFBLK].contains(status.st_mode & S_IFMT) else { return nil }
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

extension OutputFile {
    /// Enforces the rule of all commands: none writes over a file that it reads, not even after it has read
    /// it.
    ///
    /// Throws: `.wouldReplaceInput` if `output` is one of `inputs`, under any name.
    package static func requireDistinct(_ output: AudioPath, from inputs: [AudioPath]) throws(AudioIOError) {
        guard let written = FileIdentity(output, standardStream: 1) else { return }
        for input in inputs where FileIdentity(input, standardStream: 0) == written {
            let name = input == .standardStream ? "standard input" : "\(input)"
            throw AudioIOError(
                .wouldReplaceInput, output,
                "is the same file as \(name), which is read; name another file to write")
        }
    }
}
