import Nearby
import NearbyWire

/// A device without an engine: it says just what it is told to, so that what the server remembers by itself can be told from
/// what clients say again.
public struct RawDevice {
    private let server: String
    private let device: WireDevice
    private var mailbox: String?
    private var taken: Int64?
    private var count: Int64 = 0

    /// Throws: when there is no server, or it refuses.
    public init(server: String, key: String) async throws {
        self.server = server
        device = try await WireDevice(key, at: server, patience: .seconds(5))
    }

    /// Throws: `WireDevice.UnexpectedStatus`; when nobody answers.
    public mutating func report(_ fill: (inout Report) throws -> Void) async throws -> Answer {
        var report = Report()
        try fill(&report)
        count += 1
        let wire = WireReport(report, mailbox: mailbox, takenNews: taken, number: count)
        let answer = try await device.report(wire, at: server)
        (mailbox, taken) = (answer.mailbox, answer.news)
        return try answer.value()
    }
}
