import FoundationEssentials
import GRDB
import NearbyService

extension SQLiteStore {
    package func tokenKeys(
        of project: ProjectID, orElse new: [Int: [UInt8]]
    ) async throws(StoreError) -> [Int: [UInt8]] {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM tokenkey WHERE project = ? AND day < ?",
                arguments: [project.number, new.keys.min() ?? 0])
            for (day, key) in new {
                try database.execute(
                    sql: "INSERT INTO tokenkey (project, day, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                    arguments: [project.number, day, Data(key)])
            }
            let rows = try Row.fetchAll(
                database, sql: "SELECT day, key FROM tokenkey WHERE project = ?", arguments: [project.number])
            return Dictionary(
                uniqueKeysWithValues: rows.map { row in
                    let (day, key): (Int, Data) = (row["day"], row["key"])
                    return (day, Array(key))
                })
        }
    }
}
