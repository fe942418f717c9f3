import ArgumentParser

/// The root command of a program, with all of its subcommands.
package protocol RootCommand: ParsableCommand {
    /// Options whose value is a file name, which may contain bytes that are not UTF-8.
    static var fileOptions: Set<String> { get }
    /// Commands whose arguments without an option are file names, such as `offline show`.
    static var fileCommands: Set<String> { get }
}

extension RootCommand {
    /// Parses the command line and runs the command. A failure prints its lines on standard error and ends
    /// the program with the exit code. Help goes to standard output if it was requested.
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

    /// Does the same as ``start()`` for programs that have asynchronous commands.
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

    /// Throws: 64 if an argument that is not a file name is not UTF-8.
    private static func checkedArguments() throws(CommandFailure) -> [String] {
        let arguments = Array(ProgramArguments.all.dropFirst())
        for index in arguments.indices where FileName.hasRawBytes(arguments[index]) {
            try ProgramArguments.requireFileName(
                arguments, index, options: fileOptions, commands: fileCommands)
        }
        return arguments
    }

    /// Options whose value is or contains a secret.
    private static var secretOptions: [String] { ["--key", "--store"] }

    /// Registers the secrets of the command line, so that no error message repeats them.
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

    /// Replaces the parser's line about unexpected words if a secret option is present. The words may be the
    /// end of a secret that contains a blank.
    private static func withoutSurplus(_ message: String) -> String {
        let isSurplus = message.contains("nexpected argument")
        let hasSecret = ProgramArguments.all.contains { word in
            secretOptions.contains { word == $0 || word.hasPrefix($0 + "=") }
        }
        guard isSurplus, hasSecret else { return message }
        return "unexpected word on the command line; put quotes around text with spaces"
    }

    /// Rewrites the parser's "The value 'x' is invalid for '--rate <hz>'", which does not say what was
    /// expected.
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

    /// Joins the parser's lines into one line, with commas between the values of a list.
    private static func oneLine(_ message: String) -> String {
        let words = message.split(whereSeparator: \.isNewline).map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        return words.reduce("") { line, next in
            guard next.hasPrefix("- ") else { return line.isEmpty ? next : "\(line) \(next)" }
            return line + (line.hasSuffix(":") ? " " : ", ") + next.dropFirst(2)
        }
    }

    /// Prints help or the version as data, so that a full disk is reported, and ends the program.
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
        // An `ExitCode` comes from a command that has printed the reason. A success is a request for help.
        if error is ExitCode { exit(withError: error) }
        if exitCode(for: error) == .success { show(fullMessage(for: error)) }
        let message = oneLine(message(for: error))
        guard exitCode(for: error) == .validationFailure else {
            CommandFailure(.internalError, "a fault of this program, please report it: \(message)").exit()
        }
        CommandFailure(.usage, "\(withExpectation(withoutSurplus(message))) (--help tells more)").exit()
    }
}
