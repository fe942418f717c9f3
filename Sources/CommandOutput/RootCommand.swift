import ArgumentParser
import Glibc

/// A program's first word, with all of its commands.
package protocol RootCommand: ParsableCommand {}

extension RootCommand {
    /// Reads the command line and does what it says. One line on standard error, and the exit code that goes with it, where
    /// that fails; help goes where it was asked for.
    package static func start() {
        do {
            var command = try parseAsRoot()
            try command.run()
        } catch {
            end(with: error)
        }
    }

    /// As ``start()``, for programs of which some commands wait.
    package static func startWaiting() async {
        do {
            var command = try parseAsRoot()
            if var waiting = command as? any AsyncParsableCommand {
                try await waiting.run()
            } else {
                try command.run()
            }
        } catch {
            end(with: error)
        }
    }

    private static func end(with error: any Error) -> Never {
        if let failure = CommandFailure(error) {
            failure.report()
            Glibc.exit(failure.status.rawValue)
        }
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        let message = message(for: error).split(whereSeparator: \.isNewline).joined(separator: " ")
        CommandFailure(.usage, "\(message) (--help tells more)").report()
        Glibc.exit(ExitStatus.usage.rawValue)
    }
}
