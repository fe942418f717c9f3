import Nearby
import NearbyWire

/// A device without an engine. It reports only what the test reports, so that the server's own memory can be
/// distinguished from clients' repetitions.
package struct RawDevice {
    private let server: String
    private let device: WireDevice
    private var mailbox: String?
    private var taken: Int64?
    private var count: Int64 = 0

    /// Throws an error if there is no server, or if it refuses.
    package init(server: String, key: String) async throws {
        self.server = server
        device = try await WireDevice(key, at: server, patience: .seconds(5))
    }

    /// Throws `WireDevice.UnexpectedStatus`, or another error if nobody answers.
    package mutating func report(_ fill: (inout Report) throws -> Void) async throws -> Answer {
        var report = Report()
        try fill(&report)
        count += 1
        let wire = WireReport(report, mailbox: mailbox, takenNews: taken, number: count)
        let answer = try await device.report(wire, at: server)
        (mailbox, taken) = (answer.mailbox, answer.news)
        return try answer.value()
    }
}
