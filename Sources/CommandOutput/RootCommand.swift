import ArgumentParser

/// A program's first word, with all of its commands.
package protocol RootCommand: ParsableCommand {
    /// Options whose value is a file's name, and so may have bytes that are not UTF-8.
    static var fileOptions: Set<String> { get }
    /// Commands whose arguments without an option are files' names, as `offline show`.
    static var fileCommands: Set<String> { get }
}

extension RootCommand {
    /// Reads the command line and does what it says. One line on standard error, and the exit code that goes with it, where
    /// that fails; help goes where it was asked for.
    package static func start() {
        ProcessConventions.adopt()
        learnSecrets()
        do {
            var command = try parseAsRoot(checkedArguments())
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// As ``start()``, for programs of which some commands wait.
    package static func startWaiting() async {
        ProcessConventions.adopt()
        learnSecrets()
        do {
            var command = try parseAsRoot(checkedArguments())
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    /// Throws: 64 when a text is not UTF-8 where it is no file's name.
    private static func checkedArguments() throws(CommandFailure) -> [String] {
        let arguments = Array(ProgramArguments.all.dropFirst())
        for index in arguments.indices where FileName.hasRawBytes(arguments[index]) {
            try ProgramArguments.requireFileName(
                arguments, index, options: fileOptions, commands: fileCommands)
        }
        return arguments
    }

    /// Options whose value is a secret, or may have one in it.
    private static var secretOptions: [String] { ["--key", "--store"] }

    /// Whatever goes wrong with the command line, its secrets are not repeated.
    private static func learnSecrets() {
        let words = ProgramArguments.all
        for (n, word) in words.enumerated() {
            for option in secretOptions {
                var value: String?
                if word == option, n + 1 < words.count { value = words[n + 1] }
                if word.hasPrefix(option + "=") { value = String(word.dropFirst(option.count + 1)) }
                guard let value else { continue }
                Redaction.learnPassword(ofURL: value)
                if option == "--key" { Redaction.learn(value) }
            }
        }
    }

    /// The parser's line about words that it did not expect: they may be the end of a secret that has a blank in it.
    private static func withoutSurplus(_ message: String) -> String {
        let isSurplus = message.contains("nexpected argument")
        let hasSecret = ProgramArguments.all.contains { word in
            secretOptions.contains { word == $0 || word.hasPrefix($0 + "=") }
        }
        guard isSurplus, hasSecret else { return message }
        return "a word too many on the command line; one with a blank in it stands in quotes"
    }

    /// The parser's "The value 'x' is invalid for '--rate <hz>'", which does not say what was expected, in other words.
    private static func withExpectation(_ message: String) -> String {
        let (start, middle) = ("The value '", "' is invalid for '")
        guard message.hasPrefix(start), message.hasSuffix(">'"), let cut = message.firstRange(of: middle),
            let open = message[cut.upperBound...].lastIndex(of: "<")
        else { return message }
        let value = message[message.index(message.startIndex, offsetBy: start.count)..<cut.lowerBound]
        let name = message[cut.upperBound..<open].split(separator: " ").joined(separator: " ")
        let expected = message[open...].dropLast()
        return "\(name.isEmpty ? "" : "\(name): ")expected \(expected), came '\(value)'"
    }

    /// The parser's lines as one; a list of values with commas between.
    private static func oneLine(_ message: String) -> String {
        let words = message.split(whereSeparator: \.isNewline).map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return words.reduce("") { line, next in
            guard next.hasPrefix("- ") else { return line.isEmpty ? next : "\(line) \(next)" }
            return line + (line.hasSuffix(":") ? " " : ", ") + next.dropFirst(2)
        }
    }

    /// Help or the version, as data is written: a full disk is told. Then the program ends.
    private static func show(_ help: String) -> Never {
        do throws(CommandFailure) {
            if !help.isEmpty { try StandardOutput.show(help) }
        } catch {
            error.exit()
        }
        ProcessConventions.exitDone()
    }

    private static func end(with error: any Error) -> Never {
        if let failure = CommandFailure(error) { failure.exit() }
        // Help that was asked for, and exit codes of commands that have said why.
        if error is ExitCode { exit(withError: error) }
        if exitCode(for: error) == .success { show(fullMessage(for: error)) }
        let message = oneLine(message(for: error))
        guard exitCode(for: error) == .validationFailure else {
            CommandFailure(.internalError, "a fault of this program, please report it: \(message)").exit()
        }
        CommandFailure(.usage, "\(withExpectation(withoutSurplus(message))) (--help tells more)").exit()
    }
}
