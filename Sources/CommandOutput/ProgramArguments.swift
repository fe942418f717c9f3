import Glibc

/// The words that a program was called with, bytes that are not UTF-8 written as ``FileName`` does.
package enum ProgramArguments {
    package static let all: [String] = (0..<Int(CommandLine.argc)).compactMap { index in
        CommandLine.unsafeArgv[index].map { FileName.text(UnsafePointer($0)) }
    }

    /// Texts that a command of files takes beside them.
    private static let textOptions: Set<String> = ["--project", "--name", "--server", "--key"]

    /// Checks a word that is not UTF-8.
    ///
    /// Throws: 64 when it is not a file's name: as any other text it would become another one.
    static func requireFileName(
        _ words: [String], _ index: Int, options: Set<String>, commands: Set<String>
    ) throws(CommandFailure) {
        let word = words[index]
        if word.hasPrefix("-"), let sign = word.firstIndex(of: "=") {
            let option = String(word[..<sign])
            if options.contains(option), !FileName.hasRawBytes(option) { return }
            throw rejection(option)
        }
        let before = index > 0 ? words[index - 1] : ""
        if options.contains(before) { return }
        let isOfFiles = commands.contains { words.starts(with: $0.split(separator: " ").map(String.init)) }
        if isOfFiles, !textOptions.contains(before) { return }
        throw rejection(before.hasPrefix("-") ? before : word)
    }

    private static func rejection(_ words: String) -> CommandFailure {
        CommandFailure(
            .usage,
            "\(words): is not UTF-8, which all text is but the names of files; check the terminal's encoding")
    }
}
