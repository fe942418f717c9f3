import ArgumentParser
import CommandOutput
import FoundationEssentials
import NearbyServer

/// The options of `serve` for its administrators.
struct AdministrationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Listen for 'nearby admin' on this Unix socket, which only the user of the server and root may open.",
            valueName: "path"))
    var adminSocket: String?

    @Option(
        help: ArgumentHelp(
            "With --admin-socket: append a JSON line for each change to this file. (default: the log)",
            valueName: "file"))
    var auditLog: String?

    func validate() throws {
        guard auditLog == nil || adminSocket != nil else {
            throw ValidationError("--audit-log needs --admin-socket")
        }
    }
}

/// The option for the socket of a running server.
struct SocketOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Socket of the server, as in 'nearby serve --admin-socket'. (default: the one in $NEARBY_ADMIN_SOCKET)",
            valueName: "path"))
    var socket: String?

    private var path: String? {
        socket
            ?? ProcessInfo.processInfo.environment["NEARBY_ADMIN_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
    }

    func validate() throws {
        guard path != nil else {
            throw ValidationError("give --socket PATH, or set $NEARBY_ADMIN_SOCKET")
        }
    }

    /// Asks the server. Throws: 66 for what does not exist; 69 if no server answers; 77 without permission;
    /// 64 for a wrong value.
    func get<Value: Decodable>(_ target: String, _ query: [(String, String?)] = []) async throws -> Value {
        try await translated { try await $0.get(target, query) }
    }

    /// Makes a change. Throws: as ``get(_:_:)``.
    func post<Value: Decodable>(_ target: String, _ query: [(String, String?)]) async throws -> Value {
        try await translated { try await $0.post(target, query) }
    }

    private func translated<Value>(
        _ ask: (AdministrationClient) async throws -> Value
    ) async throws -> Value {
        do { return try await ask(AdministrationClient(path!)) } catch let problem
            as AdministrationClient.Problem
        {
            let status: ExitStatus =
                switch problem {
                case .noPermission: .noPermission
                case .noServer: .unavailable
                case .refused(404, _): .noInput
                case .refused(400, _), .refused(409, _): .usage
                case .refused: .unavailable
                }
            throw CommandFailure(status, "\(problem)")
        }
    }
}
