import NearbyService

/// The migrations of the tables, in order. A released migration never changes; each change is a new
/// migration.
enum Migrations {
    static let all = [first, second, third, fourth, fifth, sixth, seventh]

    /// Runs the migrations that are missing. If several instances start at once, one of them migrates and the
    /// others wait.
    ///
    /// Throws: an error of a statement; `.other` if a later version of this program has migrated the
    /// database.
    static func run(_ connection: Connection) throws(PostgresError) {
        // The lock lasts until the end of the transaction. Its number is specific to this program.
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

    /// The lease table is not logged, because leases are worthless after a crash of the server. The sequence
    /// of epochs is logged, so that no epoch occurs twice. The device table is logged, because its rows hold
    /// data that was acknowledged.
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

    /// Makes `epoch` a key. An update of a column with a unique index waits for holders of the row's `FOR KEY
    /// SHARE` lock. An update of other columns does not wait. A commit therefore delays a takeover of the
    /// lease, but not its renewal.
    private static let second = "CREATE UNIQUE INDEX lease_by_epoch ON lease (epoch);"

    /// Each beacon is one row, found by its name regardless of its project. Names compare byte by byte, as in
    /// this program. A writer of a project's beacons first increments the project's generation, and so waits
    /// for other writers.
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

    /// Adds the text of a web key, which is not secret, and its origins, separated by blanks. Both are NULL
    /// for keys of apps.
    private static let fourth =
        "ALTER TABLE apikey ADD COLUMN web_text text, ADD COLUMN web_origins text;"

    /// Keeps the last epoch of each project over a crash of the database, which empties the table of leases.
    /// A holder whose epoch is still the last one then takes its lease again, with its memory: nobody had the
    /// project meanwhile. The trigger keeps the epoch for instances of any version.
    ///
    /// `epoch` is a key, for the same reason as in ``second``. `lease_start` is emptied together with the
    /// leases: its row says since when the present leases exist.
    private static let fifth = """
        CREATE TABLE last_lease (project bigint PRIMARY KEY, epoch bigint NOT NULL UNIQUE);
        INSERT INTO last_lease SELECT project, epoch FROM lease;
        CREATE UNLOGGED TABLE lease_start (one boolean PRIMARY KEY CHECK (one), began timestamptz NOT NULL);
        INSERT INTO lease_start VALUES (true, '-infinity');
        CREATE OR REPLACE FUNCTION tell_lease() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF NEW.instance <> 0 THEN
                    INSERT INTO last_lease VALUES (NEW.project, NEW.epoch)
                        ON CONFLICT (project) DO UPDATE SET epoch = excluded.epoch
                        WHERE last_lease.epoch <> excluded.epoch;
                END IF;
                PERFORM pg_notify(
                    'nearby_lease', concat_ws(' ', NEW.project, NEW.epoch, NEW.instance, NEW.address));
                RETURN NULL;
            END $$;
        """

    /// Adds the quota of devices; NULL is the standard one.
    private static let sixth = "ALTER TABLE project ADD COLUMN devices bigint CHECK (devices > 0);"

    /// Adds the keys of sealed tokens, of some days, counted from 1970.
    private static let seventh = """
        CREATE TABLE token_key (
            project bigint NOT NULL REFERENCES project, day bigint NOT NULL, key bytea NOT NULL,
            PRIMARY KEY (project, day));
        """
}
