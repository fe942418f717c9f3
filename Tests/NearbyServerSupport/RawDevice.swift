import AsyncHTTPClient
import Foundation
import NIOCore
import Nearby
import NearbyWire

/// A device without an engine: it says just what it is told to, so that what the server remembers by itself can be told from
/// what clients say again.
public struct RawDevice {
    public struct Refused: Error {
        public var status: Int
    }

    private let server: String
    private let secret: String
    private var mailbox: String?
    private var taken: Int64?
    private var count: Int64 = 0

    /// Throws: when there is no server, or it refuses.
    public init(server: String, key: String) async throws {
        self.server = server
        let body = try await RawDevice.post(server + "/v1/devices", bearer: key, body: Data())
        secret = try WireCoding.decode(WireRegistration.self, from: body).device
    }

    public mutating func report(_ fill: (inout Report) throws -> Void) async throws -> Answer {
        var report = Report()
        try fill(&report)
        count += 1
        let wire = WireReport(report, mailbox: mailbox, takenNews: taken, number: count)
        let body = try await RawDevice.post(
            server + "/v1/report", bearer: secret, body: WireCoding.encode(wire))
        let answer = try WireCoding.decode(WireAnswer.self, from: body)
        (mailbox, taken) = (answer.mailbox, answer.news)
        return try answer.value()
    }

    private static func post(_ url: String, bearer: String, body: Data) async throws -> Data {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Authorization", value: "Bearer \(bearer)")
        request.body = .bytes(body)
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
        let answer = try await response.body.collect(upTo: 1 << 20)
        guard (200..<300).contains(response.status.code) else {
            throw Refused(status: Int(response.status.code))
        }
        return Data(answer.readableBytesView)
    }
}
