import NearbyService

/// Tables, in the order in which they came to be. What was released is never changed: a change is another migration.
enum Migrations {
    static let all = [first, second, third, fourth]

    /// Any number of instances may start at once: one does it, the others wait.
    ///
    /// Throws: also when a later version of this program was here.
    static func run(_ connection: Connection) throws(PostgresError) {
        // Until the end of the transaction; the number is this program's own.
        try connection.run("SELECT pg_advisory_xact_lock(7236273612)")
        try connection.run(
            "CREATE TABLE IF NOT EXISTS nearby_migration (number bigint PRIMARY KEY, done timestamptz NOT NULL)"
        )
        let done = try connection.query(last, [])[0].int(0)
        guard done <= all.count else {
            throw .other("the database was written by a later version: update this one")
        }
        for number in Int(done)..<all.count {
            try connection.run(all[number])
            _ = try connection.query(note, [.int(Int64(number + 1))])
        }
    }

    private static let last = Statement(
        "last_migration", "SELECT coalesce(max(number), 0) FROM nearby_migration")
    private static let note = Statement("note_migration", "INSERT INTO nearby_migration VALUES ($1, now())")

    /// Leases are worth nothing after a crash of the server, so that they need not be logged; their numbers are, so that none
    /// comes twice. Devices must come back: what was acknowledged is in their rows.
    private static let first = """
        CREATE TABLE project (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE,
            created timestamptz NOT NULL DEFAULT now());
        CREATE TABLE apikey (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash bytea NOT NULL UNIQUE,
            project bigint NOT NULL REFERENCES project, label text NOT NULL,
            created timestamptz NOT NULL DEFAULT now(), revoked timestamptz);
        CREATE TABLE device (
            project bigint NOT NULL, hash bytea NOT NULL, apikey bigint NOT NULL, record bytea NOT NULL,
            PRIMARY KEY (project, hash));
        CREATE TABLE cluster (secret text NOT NULL);
        INSERT INTO cluster VALUES (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''));
        CREATE SEQUENCE lease_epoch;
        CREATE UNLOGGED TABLE lease (
            project bigint PRIMARY KEY, instance bigint NOT NULL, address text NOT NULL,
            epoch bigint NOT NULL, expires timestamptz NOT NULL);
        CREATE FUNCTION tell_lease() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                PERFORM pg_notify(
                    'nearby_lease', concat_ws(' ', NEW.project, NEW.epoch, NEW.instance, NEW.address));
                RETURN NULL;
            END $$;
        CREATE TRIGGER lease_told AFTER INSERT OR UPDATE OF instance ON lease
            FOR EACH ROW EXECUTE FUNCTION tell_lease();
        """

    /// What has a unique index is a key: who changes it waits for who holds the row `FOR KEY SHARE`, who changes only the rest does
    /// not. So a commit holds up whoever takes the lease, and not its renewal.
    private static let second = "CREATE UNIQUE INDEX lease_by_epoch ON lease (epoch);"

    /// A beacon is one row, read by its name whosever it is; names are compared byte by byte, as this program does. Who writes beacons
    /// of a project counts up its generation first, and so waits for others who do.
    private static let third = """
        ALTER TABLE project ADD COLUMN beacon_generation bigint NOT NULL DEFAULT 0;
        CREATE TABLE namespace (
            name text COLLATE "C" PRIMARY KEY, project bigint NOT NULL REFERENCES project,
            is_public boolean NOT NULL);
        CREATE INDEX namespace_project ON namespace (project);
        CREATE TABLE beacon (
            name text COLLATE "C" PRIMARY KEY, project bigint NOT NULL REFERENCES project,
            revision bigint NOT NULL, attachments bigint NOT NULL, is_ephemeral boolean NOT NULL,
            record bytea NOT NULL);
        CREATE INDEX beacon_project ON beacon (project, name);
        CREATE INDEX beacon_ephemeral ON beacon (project, name) WHERE is_ephemeral;
        CREATE TABLE beacon_drift (
            name text COLLATE "C" PRIMARY KEY, project bigint NOT NULL, seconds bigint NOT NULL,
            registered bigint NOT NULL);
        CREATE INDEX beacon_drift_project ON beacon_drift (project);
        CREATE TABLE resolver (one boolean PRIMARY KEY CHECK (one), key bytea NOT NULL);
        """

    /// The text of a web key, which is no secret, and its origins, blanks between them; NULL for keys of apps.
    private static let fourth =
        "ALTER TABLE apikey ADD COLUMN web_text text, ADD COLUMN web_origins text;"
}
