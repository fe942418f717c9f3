import FoundationEssentials
import Nearby
import NearbyWire

extension NearbyService {
    /// One device that asks, by ``NearbyService/device(_:address:)``.
    public struct Device: Sendable {
        let secret: SecretHash
        let service: ProjectService
        let client: ClientNetwork
        let requestQueue: FairRequestQueue
    }
}

extension NearbyService.Device {
    /// Returns when the store has what it says.
    public func report(_ report: WireReport) async throws(ServiceRefusal) -> WireAnswer {
        try await service.report(try value(of: report), ReportFrame(report), from: secret, at: client)
    }

    /// Reads a report as JSON, once its device may say so much, and takes it.
    ///
    /// Returns when the store has what it says. Throws: `.malformed`, `.unknown`, `.incomplete`, `.tooMuch`,
    /// `.unavailable`.
    public func report(json body: Data) async throws(ServiceRefusal) -> WireAnswer {
        try await service.spend(bytes: body.count, of: secret, at: client)
        return try await requestQueue.pass(client) { () throws(ServiceRefusal) in
            let report: WireReport
            do throws(WireError) { report = try WireCoding.decode(WireReport.self, from: body) } catch {
                throw .malformed("\(error)")
            }
            return try await self.report(report)
        }
    }

    private func value(of report: WireReport) throws(ServiceRefusal) -> Report {
        do throws(WireError) { return try report.value() } catch { throw .malformed("\(error)") }
    }

    /// News as they come; ends when the device opens another one or is gone.
    ///
    /// Throws: `.unknown`, `.incomplete`.
    public func news() async throws(ServiceRefusal) -> DeviceEventStream {
        try await service.listen(secret)
    }

    /// Whether there would be news, without opening a stream. Throws: as ``news()``.
    public func checkNews() async throws(ServiceRefusal) {
        try await service.checkListening(secret)
    }
}
