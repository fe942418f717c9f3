import NearbyService

/// The table of leases. The database's clock decides when a lease expires.
struct LeaseTable: Sendable {
    /// The lifetime of a lease that is not renewed.
    static let time = Duration.seconds(3)

    let pool: PostgresPool
    /// The session that listens for notices and renews leases.
    let listener: PostgresSession

    struct Held: Sendable {
        var project: ProjectID
        var epoch: Int64
    }

    struct Holder: Sendable {
        var instance: Int64
        var epoch: Int64
        var address: String
    }

    /// Claims a project and returns the epoch of the new lease; `nil` if this instance, or one at another
    /// address, holds a valid lease.
    func claim(_ project: ProjectID, _ instance: Int64, _ address: String) async throws(PostgresError)
        -> Int64?
    {
        try await pool.query(LeaseTable.claim, .int(project.number), .int(instance), .text(address))
            .first?.int(0)
    }

    /// Returns the holder of a project's valid lease; `nil` if there is none.
    func holder(of project: ProjectID) async throws(PostgresError) -> Holder? {
        try await pool.query(LeaseTable.holder, .int(project.number)).first.map {
            Holder(instance: $0.int(0), epoch: $0.int(1), address: $0.text(2))
        }
    }

    /// Renews leases and returns the epochs of those that this instance still holds. Leases that a crash of
    /// the database has removed are taken again, if no instance had the project meanwhile.
    func renew(_ held: [Held], _ instance: Int64, _ address: String) async throws(PostgresError) -> Set<Int64>
    {
        let rows = try await listener.query(
            LeaseTable.renew, LeaseTable.parameters(held, instance) + [.text(address)])
        return Set(rows.map { $0.int(0) })
    }

    /// Takes over up to 64 leases that have expired, or that belong to an earlier instance at this address.
    func takeOver(_ instance: Int64, _ address: String) async throws(PostgresError) -> [Held] {
        try await listener.query(LeaseTable.takeOver, [.int(instance), .text(address)]).map {
            Held(project: ProjectID($0.int(0)), epoch: $0.int(1))
        }
    }

    func release(_ held: [Held], _ instance: Int64) async throws(PostgresError) {
        _ = try await pool.query(LeaseTable.release, LeaseTable.parameters(held, instance))
    }

    private static func parameters(_ held: [Held], _ instance: Int64) -> [Parameter] {
        [.int(instance), .ints(held.map(\.project.number)), .ints(held.map(\.epoch))]
    }
}

// MARK: Statements

extension LeaseTable {
    /// Claims a project without a lease, with an expired one, or with one of an earlier instance at the same
    /// address, which is gone. After a crash of the database, which removes all leases, their holders have
    /// three seconds to take them again before others may claim them.
    private static let claim = Statement(
        "claim_lease", isRepeatable: false,
        """
        WITH start AS (INSERT INTO lease_start VALUES (true, now()) ON CONFLICT DO NOTHING)
        INSERT INTO lease AS old (project, instance, address, epoch, expires)
        SELECT $1, $2, $3, nextval('lease_epoch'), now() + interval '3 s'
        WHERE EXISTS (SELECT FROM lease WHERE project = $1)
            OR NOT EXISTS (SELECT FROM last_lease WHERE project = $1)
            OR EXISTS (SELECT FROM lease_start WHERE began < now() - interval '3 s')
        ON CONFLICT (project) DO UPDATE SET instance = excluded.instance, address = excluded.address,
            epoch = excluded.epoch, expires = excluded.expires
        WHERE old.expires <= now() OR (old.address = excluded.address AND old.instance <> excluded.instance)
        RETURNING epoch
        """)

    private static let holder = Statement(
        "lease_holder", "SELECT instance, epoch, address FROM lease WHERE project = $1 AND expires > now()")

    private static let renew = Statement(
        "renew_leases",
        """
        WITH held AS (SELECT * FROM unnest($2::bigint[], $3::bigint[]) AS held (project, epoch)),
        renewed AS (
            UPDATE lease SET expires = now() + interval '3 s' FROM held
            WHERE lease.project = held.project AND lease.epoch = held.epoch AND lease.instance = $1
            RETURNING lease.epoch
        ), again AS (
            INSERT INTO lease (project, instance, address, epoch, expires)
            SELECT held.project, $1, $4, held.epoch, now() + interval '3 s'
            FROM held JOIN last_lease USING (project, epoch)
            WHERE NOT EXISTS (SELECT FROM lease WHERE lease.project = held.project)
            ON CONFLICT (project) DO NOTHING RETURNING epoch
        )
        SELECT epoch FROM renewed UNION ALL SELECT epoch FROM again
        """)

    /// The order is random and the number limited, so that every remaining instance takes its share.
    private static let takeOver = Statement(
        "take_over_leases", isRepeatable: false,
        """
        WITH free AS MATERIALIZED (
            SELECT project FROM lease WHERE expires <= now() OR (address = $2 AND instance <> $1)
            ORDER BY random() LIMIT 64 FOR UPDATE SKIP LOCKED
        )
        UPDATE lease SET instance = $1, address = $2, epoch = nextval('lease_epoch'),
            expires = now() + interval '3 s'
        FROM free WHERE lease.project = free.project
        RETURNING lease.project, lease.epoch
        """)

    private static let release = Statement(
        "release_leases",
        """
        UPDATE lease SET instance = 0, address = '', expires = now()
        FROM unnest($2::bigint[], $3::bigint[]) AS held (project, epoch)
        WHERE lease.project = held.project AND lease.epoch = held.epoch AND lease.instance = $1
        """)
}
