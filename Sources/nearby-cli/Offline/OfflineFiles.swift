import CommandOutput
import NearbyOffline

extension OfflineProject {
    /// Reads a project's key file. Throws: 65 if the file is not one; the errors of ``SecretFile/read(_:)``.
    init(file path: String) throws(CommandFailure) {
        try self.init(SecretFile.read(path), of: path)
    }

    /// Parses a project's key file. Throws: 65 if the text is not one.
    init(_ text: String, of path: String) throws(CommandFailure) {
        do throws(KeyFileError) {
            try self.init(keyFile: text)
        } catch {
            let isSigner = (try? PublisherKey(keyFile: text)) != nil
            throw CommandFailure(
                .badData,
                isSigner
                    ? "\(path): is a publisher's key, for --signer; 'nearby offline create' creates a project's key"
                    : "\(path): is not a project's key: \(error)")
        }
    }
}

extension PublisherKey {
    /// Reads a publisher's key file. Throws: 65 if the file is not one; the errors of
    /// ``SecretFile/read(_:)``.
    init(file path: String) throws(CommandFailure) {
        let text = try SecretFile.read(path)
        do throws(KeyFileError) {
            try self.init(keyFile: text)
        } catch {
            let isProject = (try? OfflineProject(keyFile: text)) != nil
            throw CommandFailure(
                .badData,
                isProject
                    ? "\(path): is a project's key, for --offline; 'nearby offline signer' creates a publisher's key"
                    : "\(path): is not a publisher's key: \(error)")
        }
    }
}
