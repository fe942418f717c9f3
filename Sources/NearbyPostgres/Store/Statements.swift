/// The statements of a ``PostgresStore``.
enum Statements {
    static let clusterSecret = Statement("cluster_secret", "SELECT secret FROM cluster")
    /// Draws and discards an epoch; epochs may have gaps. The statement fails on a standby and on a read-only
    /// database.
    static let checkWriting = Statement("check_writing", "SELECT nextval('lease_epoch')")
    static let projects = Statement(
        "projects", "SELECT id, name, coalesce(devices, 0) FROM project ORDER BY id")
    static let project = Statement(
        "project", "SELECT id, name, coalesce(devices, 0) FROM project WHERE id = $1")
    static let setQuota = Statement("set_quota", "UPDATE project SET devices = nullif($2, 0) WHERE id = $1")
    static let createProject = Statement(
        "create_project", isRepeatable: false, "INSERT INTO project (name) VALUES ($1) RETURNING id")
    private static let keyColumns = "id, project, label, revoked, web_text, web_origins"
    static let keys = Statement(
        "keys", "SELECT \(keyColumns) FROM apikey WHERE project = $1 ORDER BY id")
    static let key = Statement(
        "key", "SELECT \(keyColumns) FROM apikey WHERE hash = $1 AND revoked IS NULL")
    static let webOrigins = Statement(
        "web_origins", "SELECT web_origins FROM apikey WHERE web_origins IS NOT NULL AND revoked IS NULL")
    /// $4 text of a web key, empty for an app's key; $5 its origins.
    static let addKey = Statement(
        "add_key", isRepeatable: false,
        """
        INSERT INTO apikey (hash, project, label, web_text, web_origins)
        VALUES ($1, $2, $3, nullif($4, ''), CASE WHEN $4 <> '' THEN $5 END) RETURNING id
        """)
    static let revokeKey = Statement(
        "revoke_key", isRepeatable: false,
        "UPDATE apikey SET revoked = now() WHERE id = $1 AND revoked IS NULL RETURNING id")

    /// $1 project; $2 days, $3 keys.
    static let makeTokenKeys = Statement(
        "make_token_keys",
        """
        INSERT INTO token_key (project, day, key)
        SELECT $1, one.day, one.key FROM unnest($2::bigint[], $3::bytea[]) AS one (day, key)
        ON CONFLICT DO NOTHING
        """)
    /// $1 project, $2 first day. The statement deletes the keys of earlier days.
    static let tokenKeys = Statement(
        "token_keys",
        """
        WITH deleted AS (DELETE FROM token_key WHERE project = $1 AND day < $2)
        SELECT day, key FROM token_key WHERE project = $1 AND day >= $2
        """)

    static let devicesPerPage = 5000
    static let devices = Statement(
        "devices",
        """
        SELECT hash, apikey, record FROM device WHERE project = $1 AND hash > $2
        ORDER BY hash LIMIT \(devicesPerPage)
        """)

    /// One statement is one transaction and one round trip. An instance that claims the project waits for the
    /// lock on its last epoch, and then reads the committed data. An instance that lost the lease finds no
    /// row and writes nothing. The row of the lease itself may be gone after a crash of the database.
    ///
    /// $1 project, $2 epoch; $3 hashes, $4 keys, $5 records of the saved devices; $6 hashes of the deleted
    /// devices.
    static let commit = Statement(
        "commit",
        """
        WITH held AS MATERIALIZED (
            SELECT project FROM last_lease WHERE project = $1 AND epoch = $2 FOR KEY SHARE
        ), saved AS (
            INSERT INTO device (project, hash, apikey, record)
            SELECT held.project, one.hash, one.apikey, one.record
            FROM held, unnest($3::bytea[], $4::bigint[], $5::bytea[]) AS one (hash, apikey, record)
            ON CONFLICT (project, hash) DO UPDATE SET apikey = excluded.apikey, record = excluded.record
        ), deleted AS (
            DELETE FROM device USING held WHERE device.project = held.project AND device.hash = ANY ($6)
        )
        SELECT project FROM held
        """)
}
