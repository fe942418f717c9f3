import Foundation
import TestSupport
import Testing

/// Tests that no example shows a secret on a command line, where `ps` shows it to everybody.
@Suite struct SecretExampleTests {
    /// Returns the secrets on command lines, by the forms that they have.
    private func findings(_ text: String) throws -> [String] {
        let signs = [
            // A word stands in the place of a key; a usage line has it in brackets.
            #"--key[= ](?![\[<])[A-Za-z0-9"'$]\S*"#,
            #"postgres(?:ql)?://[^\s/@<]*:[^\s/@]*@"#, #"[?&]password="#, #"nb[kd]_\d+_[A-Za-z0-9]{4}"#,
            #"example-(?:box|app) server \S+ (?:KEY |nbk)"#, #"PGPASSWORD=\S"#,
        ]
        return try signs.flatMap { sign in
            let expression = try NSRegularExpression(pattern: sign)
            let range = NSRange(text.startIndex..., in: text)
            return expression.matches(in: text, range: range).map {
                (text as NSString).substring(with: $0.range)
            }
        }
    }

    @Test func findsWhatItLooksFor() throws {
        for text in [
            "nearby find --key KEY", "--key \"$key\"", "--key=nbk_1_x",
            "--store postgres://anna:word@host/db",
            "postgresql://a:b@h", "nbk_1_m3XyZ", "example-box server http://h KEY default",
        ] {
            let found = try findings(text)
            #expect(!found.isEmpty, "\(text)")
        }
        for text in [
            "nearby find --key-file shop.key", "  --key <key>   The project's", "[--key <key>]",
            "--store postgres://user@host:port/database", "nbk_1_…", "--key, or",
        ] {
            let found = try findings(text)
            #expect(found.isEmpty, "\(found)")
        }
    }

    /// The test reads README, pages, documentation, units and scripts of packages.
    @Test func pages() throws {
        var count = 0
        for folder in ["README.md", "Sources", "Tools"] {
            let root = Repository.path(folder)
            let names =
                FileManager.default.subpaths(atPath: root).map { $0.map { "\(root)/\($0)" } } ?? [root]
            for path in names.isEmpty ? [root] : names {
                let isScript = path.contains("/Tools/debian/")
                guard
                    path.hasSuffix(".md") || path.hasSuffix(".service") || path.hasSuffix(".docc")
                        || isScript,
                    let text = try? String(contentsOfFile: path, encoding: .utf8)
                else { continue }
                count += 1
                // A page may show the beginning of a secret.
                let found = try findings(text).filter { !$0.hasPrefix("nbk_1_m3Xy") }
                #expect(found.isEmpty, "\(path): \(found)")
            }
        }
        #expect(count > 20)
    }

    /// The test reads every command's recorded help, which `HelpTests` verifies.
    @Test func help() throws {
        let folder = Repository.path("Fixtures/help")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.count > 40)
        for name in names {
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let found = try findings(text)
            #expect(found.isEmpty, "\(name): \(found)")
        }
    }

    /// The test reads the programs' texts that have no recorded help.
    @Test func usages() throws {
        for (program, arguments) in [
            ("nearby-stb", ["--help"]), ("nearby", ["stb", "--print-config"]), ("example-box", []),
            ("example-app", []),
        ] {
            let outcome = Command(program: Command.path(of: program)).run(arguments)
            #expect(!outcome.text.isEmpty)
            let found = try findings(outcome.text + outcome.errors)
            #expect(found.isEmpty, "\(found)")
        }
    }
}
