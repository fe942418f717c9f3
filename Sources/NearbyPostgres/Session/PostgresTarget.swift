import CPostgres
import NearbyService

/// The connection options of a database, parsed from a URL. The description contains no password.
struct PostgresTarget: Sendable, CustomStringConvertible {
    struct Option: Sendable {
        var keyword: String
        var value: String
    }

    let options: [Option]

    /// - Parameter url: a URL in the form of libpq: `postgres://user:password@host:port/database` or
    ///   `postgresql:///database?host=/run/postgresql`. Without a password, libpq reads `$PGPASSFILE` or
    ///   `~/.pgpass`.
    ///
    /// Throws: `.failed` if the URL is invalid.
    init(url: String) throws(StoreError) {
        if let problem = PostgresURL.problem(url) { throw .failed(problem) }
        // The error of libpq for an invalid URL would repeat parts of it, possibly the password.
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

    /// These timeouts detect within seconds a server that vanished without closing the connection.
    private static let defaults = [
        "application_name": "nearby", "connect_timeout": "3", "keepalives_idle": "5",
        "keepalives_interval": "2", "keepalives_count": "3", "tcp_user_timeout": "6000",
    ]

    private func value(_ keyword: String) -> String? { options.first { $0.keyword == keyword }?.value }

    /// Removes the password from a message of libpq or the server.
    func withoutPassword(_ line: String) -> String {
        guard let password = value("password"), !password.isEmpty else { return line }
        return line.replacing(password, with: "…")
    }

    var description: String {
        let host = value("host") ?? value("hostaddr") ?? "local"
        return "\(host):\(value("port") ?? "5432")/\(value("dbname") ?? "")"
    }
}
