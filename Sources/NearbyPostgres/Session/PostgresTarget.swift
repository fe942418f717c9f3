import CPostgres
import NearbyService

/// Which database: a URL, taken apart. Its description has no password.
struct PostgresTarget: Sendable, CustomStringConvertible {
    struct Option: Sendable {
        var keyword: String
        var value: String
    }

    let options: [Option]

    /// - Parameter url: as libpq has them: `postgres://user:password@host:port/database`,
    ///   `postgresql:///database?host=/run/postgresql`. Without a password, libpq takes that of `$PGPASSFILE` or `~/.pgpass`.
    ///
    /// Throws: `.failed` when it is none.
    init(url: String) throws(StoreError) {
        if let problem = PostgresURL.problem(url) { throw .failed(problem) }
        // What libpq says of a wrong one repeats parts of it, the password perhaps.
        guard let parsed = PQconninfoParse(url, nil) else {
            throw .failed("not the URL of a PostgreSQL database: \(PostgresURL.example)")
        }
        defer { PQconninfoFree(parsed) }
        var options = PostgresTarget.defaults
        var next = parsed
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        self.options = options.sorted { $0.key < $1.key }.map { Option(keyword: $0.key, value: $0.value) }
    }

    /// A server that is gone without a word is noticed in seconds.
    private static let defaults = [
        "application_name": "nearby", "connect_timeout": "3", "keepalives_idle": "5",
        "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "6000",
    ]

    private func value(_ keyword: String) -> String? { options.first { $0.keyword == keyword }?.value }

    /// The words of libpq or the server, without the password.
    func withoutPassword(_ line: String) -> String {
        guard let password = value("password"), !password.isEmpty else { return line }
        return line.replacing(password, with: "…")
    }

    var description: String {
        let host = value("host") ?? value("hostaddr") ?? "local"
        return "\(host):\(value("port") ?? "5432")/\(value("dbname") ?? "")"
    }
}
