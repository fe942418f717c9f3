import CommandOutput
import Glibc
import NearbyService
import SetTopBoxService

/// The delivery of a new API key to the user who requested it, and to nobody else.
enum NewKey {
    /// Writes the key to a new file or to standard output. If standard output is the journal, which more
    /// people read, the key goes to a file in `folder`. If there is no folder either, the key is not written
    /// at all.
    ///
    /// - Parameters:
    ///   - file: a new file for the key alone; `nil` to use standard output.
    ///   - folder: the folder of the server's database; `nil` if there is none.
    ///
    /// Throws: 73 if a file of that name exists or none can be created; 74 if writing fails; 141 if the
    /// reader of standard output has gone.
    static func tell(
        _ key: Secret, to file: String? = nil, folder: String? = nil
    ) throws(CommandFailure) {
        if let file { return try SecretFile.create(file, key.text + "\n") }
        guard ServiceLog.isJournal(descriptor: STDOUT_FILENO) else {
            if let warning = openOutput { StandardError.write(warning) }
            return try StandardOutput.write(key.text)
        }
        guard let folder else {
            return StandardError.write(
                "the first API key is not written here: 'nearby keys create' prints one")
        }
        let file = "\(folder)/first.key"
        try SecretFile.create(file, key.text + "\n")
        StandardError.write("the first API key is in \(file)")
    }

    /// Checks before a key is made that its file does not exist yet. Throws: 73 if it does.
    static func check(_ file: String?) throws(CommandFailure) {
        guard let file, access(file, F_OK) == 0 else { return }
        throw CommandFailure(
            .cannotCreate, "\(file): already exists and was not changed; name another file")
    }

    /// A warning if others may read the file to which standard output goes; `nil` otherwise.
    static var openOutput: String? {
        var state = stat()
        guard fstat(STDOUT_FILENO, &state) == 0, state.st_mode & S_IFMT == S_IFREG,
            state.st_mode & 0o077 != 0
        else { return nil }
        return "standard output is a file that others can read; use chmod 600, or --output"
    }
}
