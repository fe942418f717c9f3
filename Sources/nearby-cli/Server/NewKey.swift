import CommandOutput
import Glibc
import NearbyService
import SetTopBoxService

/// How a new API key reaches whoever asked for it, and nobody else.
enum NewKey {
    /// On standard output, or into a new file; where standard output is the journal, which more people read, into a file in `folder`.
    ///
    /// - Parameters:
    ///   - file: a new file for the key alone; nil: there is none.
    ///   - folder: of the server's database; nil: it has none.
    ///
    /// Throws: 73 when there is a file of that name, or none can be made; 74.
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

    /// Throws: 73 when a key that is made now could not be written there.
    static func check(_ file: String?) throws(CommandFailure) {
        guard let file, access(file, F_OK) == 0 else { return }
        throw CommandFailure(
            .cannotCreate, "\(file): is there already, and stays as it is: name another file")
    }

    /// A line for people when others may read the file that standard output is; nil otherwise.
    static var openOutput: String? {
        var state = stat()
        guard fstat(STDOUT_FILENO, &state) == 0, state.st_mode & S_IFMT == S_IFREG,
            state.st_mode & 0o077 != 0
        else { return nil }
        return "standard output is a file that others may read: chmod 600, or --output"
    }
}
