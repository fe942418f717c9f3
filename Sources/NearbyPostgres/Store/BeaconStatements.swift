/// The statements of a ``PostgresStore`` about beacons.
enum BeaconStatements {
    static let namespacesNamed = Statement(
        "namespaces_named", "SELECT name, project, is_public FROM namespace WHERE name = ANY ($1)")
    static let namespaces = Statement(
        "namespaces", "SELECT name, project, is_public FROM namespace WHERE project = $1 ORDER BY name")
    static let named = Statement(
        "beacons_named", "SELECT project, revision, record FROM beacon WHERE name = ANY ($1)")
    /// $1 project, $2 the name before the first result, $3 maximum number of rows.
    static let all = Statement(
        "beacons",
        """
        SELECT project, revision, record FROM beacon WHERE project = $1 AND name > $2
        ORDER BY name LIMIT $3
        """)
    static let ephemeral = Statement(
        "beacons_ephemeral",
        """
        SELECT project, revision, record FROM beacon WHERE project = $1 AND name > $2 AND is_ephemeral
        ORDER BY name LIMIT $3
        """)

    // MARK: Writing

    /// The first statement of each writing transaction. Its row lock makes other writers of the project wait.
    static let countUp = Statement(
        "beacons_count_up",
        "UPDATE project SET beacon_generation = beacon_generation + 1 WHERE id = $1")
    /// $1 name, $2 project, $3 1 for public, 0 otherwise. No row comes back if another project owns the
    /// namespace.
    static let claim = Statement(
        "namespace_claim",
        """
        INSERT INTO namespace (name, project, is_public) VALUES ($1, $2, $3::bigint <> 0)
        ON CONFLICT (name) DO UPDATE SET is_public = excluded.is_public
        WHERE namespace.project = excluded.project RETURNING name
        """)
    /// $1 project, $2 name, $3 number of attachments, $4 1 for ephemeral, 0 otherwise, $5 record.
    static let insert = Statement(
        "beacon_insert",
        """
        INSERT INTO beacon (project, name, revision, attachments, is_ephemeral, record)
        VALUES ($1, $2, 1, $3, $4::bigint <> 0, $5) ON CONFLICT (name) DO NOTHING RETURNING name
        """)
    /// $1 to $5 as in ``insert``, $6 the expected revision. No row comes back if the revision differs.
    static let update = Statement(
        "beacon_update",
        """
        UPDATE beacon SET revision = revision + 1, attachments = $3, is_ephemeral = $4::bigint <> 0, record = $5
        WHERE name = $2 AND project = $1 AND revision = $6 RETURNING name
        """)
    static let sizes = Statement(
        "beacon_sizes",
        """
        SELECT (SELECT count(*) FROM namespace WHERE project = $1), count(*),
            coalesce(sum(attachments), 0)::bigint FROM beacon WHERE project = $1
        """)

    // MARK: Changing names

    static let generation = Statement(
        "beacon_generation", "SELECT beacon_generation FROM project WHERE id = $1")
    static let drifts = Statement(
        "beacon_drifts", "SELECT name, seconds, registered FROM beacon_drift WHERE project = $1")
    static let noteDrift = Statement(
        "beacon_note_drift",
        """
        INSERT INTO beacon_drift (name, project, seconds, registered) VALUES ($1, $2, $3, $4)
        ON CONFLICT (name) DO UPDATE SET seconds = excluded.seconds, registered = excluded.registered
        """)
    static let makeResolverKey = Statement(
        "resolver_make", "INSERT INTO resolver (one, key) VALUES (true, $1) ON CONFLICT DO NOTHING")
    static let resolverKey = Statement("resolver_key", "SELECT key FROM resolver")
}
