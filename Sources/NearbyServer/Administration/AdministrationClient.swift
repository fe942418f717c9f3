import AsyncHTTPClient
import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NearbyWire

/// A client of the administration socket of a running server: see ``AdministrationPath``.
package struct AdministrationClient: Sendable {
    /// The reason why there is no answer.
    package enum Problem: Error, Sendable, CustomStringConvertible {
        /// Nobody listens at the path.
        case noServer(String, String)
        /// This user may not open the socket.
        case noPermission(String)
        /// The server refuses the request. The line is the server's.
        case refused(status: UInt, String)

        package var description: String {
            switch self {
            case .noServer(let path, let why):
                "\(path): no server answers (\(why)): 'nearby serve --admin-socket \(path)' listens there"
            case .noPermission(let path):
                "\(path): only the user that runs the server, and root, may open it"
            case .refused(_, let line): line
            }
        }
    }

    private static let patience = TimeAmount.seconds(30)
    private static let largestAnswer = 4 << 20

    private let path: String

    /// - Parameter path: the path of the socket.
    package init(_ path: String) { self.path = path }

    /// - Parameter query: the parameters of the request; those without a value are left out.
    package func get<Value: Decodable>(
        _ target: String, _ query: [(String, String?)] = []
    ) async throws -> Value {
        try await ask(.GET, target, query)
    }

    /// - Parameter query: the parameters of the request.
    package func post<Value: Decodable>(
        _ target: String, _ query: [(String, String?)]
    ) async throws -> Value {
        try await ask(.POST, target, query)
    }

    private func ask<Value: Decodable>(
        _ method: HTTPMethod, _ target: String, _ query: [(String, String?)]
    ) async throws -> Value {
        let parameters = query.compactMap { name, value in
            value.map { "\(name)=\(AdministrationClient.escaped($0))" }
        }
        let target = target + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
        var request = HTTPClientRequest(url: "http+unix://\(AdministrationClient.escaped(path))\(target)")
        request.method = method
        request.headers.add(name: "Host", value: "localhost")
        let response: HTTPClientResponse
        try checkPath()
        do { response = try await HTTPClient.shared.execute(request, timeout: Self.patience) } catch {
            throw Problem.noServer(path, "\(error)")
        }
        let body = Data(
            (try await response.body.collect(upTo: AdministrationClient.largestAnswer)).readableBytesView)
        guard response.status == .ok else {
            let line = (try? WireCoding.decode(WireRefusal.self, from: body))?.error
            throw Problem.refused(
                status: response.status.code, line ?? "the server answers with \(response.status)")
        }
        return try WireCoding.decode(Value.self, from: body)
    }

    /// Checks what the HTTP client would only report in many words after many attempts.
    private func checkPath() throws(Problem) {
        guard access(path, R_OK | W_OK) != 0 else { return }
        if errno == EACCES { throw .noPermission(path) }
        throw .noServer(path, String(cString: strerror(errno)))
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
