import Foundation
import NearbyPostgres
import NearbyService
import Testing

/// Tests that a database's password reaches PostgreSQL and nobody else.
@Suite(.serialized, .timeLimit(.minutes(2))) struct PasswordTests {
    private static let password = "Zq7Xw9Vk3Jh5"
    private let folder = TemporaryFolder()

    private func problem(_ url: String) async -> String? {
        do {
            _ = try await PostgresStore(url: url, connections: 1)
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// If a URL has no password, the password file's is used, as libpq does. A wrong one is refused, and no
    /// error shows it.
    @Test func aPasswordFile() async throws {
        let url = try PostgresServer.shared.get().lockedDatabase(password: Self.password)
        let file = folder.path + "/pgpass"
        unsetenv("PGPASSFILE")
        // The new rule holds from the server's next check of its signals on.
        var without = await problem(url)
        for _ in 0..<200 where without == nil {
            try await Task.sleep(for: .milliseconds(20))
            without = await problem(url)
        }
        #expect(without?.contains("no password supplied") ?? false, "\(without ?? "")")
        for (password, isRight) in [(Self.password, true), ("Wp4Yd8Rm2Tn6", false)] {
            try "*:*:*:*:\(password)\n".write(toFile: file, atomically: false, encoding: .utf8)
            chmod(file, 0o600)
            setenv("PGPASSFILE", file, 1)
            let byFile = await problem(url)
            unsetenv("PGPASSFILE")
            let byURL = await problem(url + "&password=\(password)")
            for problem in [byFile, byURL] {
                #expect((problem == nil) == isRight, "\(problem ?? "")")
                for n in 0...(password.count - 4) {
                    let part = password.dropFirst(n).prefix(4)
                    #expect(!(problem ?? "").contains(part), "\(problem ?? "")")
                }
            }
        }
    }

    /// A secret's name in logs contains no character of the secret, and distinguishes two secrets.
    @Test func namesOfSecrets() {
        var random = SystemRandomNumberGenerator()
        var names: Set<String> = []
        for n in 1...200 {
            let secret = Secret(n % 2 == 0 ? .key : .device, of: ProjectID(7), random: &random)
            let hidden = secret.text.dropFirst(6)
            let name = "\(secret)"
            #expect(name.hasPrefix(n % 2 == 0 ? "nbk_7#" : "nbd_7#") && name.utf8.count == 14)
            // Eight hexadecimal digits share four with a text of 44 other characters once in 10⁵.
            let parts = (0...(hidden.count - 6)).map { hidden.dropFirst($0).prefix(6) }
            #expect(!parts.contains { name.contains($0) })
            names.insert(name)
        }
        #expect(names.count == 200)
    }
}
