import Nearby
import NearbyWire

extension NearbyService {
    /// A device that sends requests, as ``NearbyService/device(_:address:)`` returns it.
    package struct Device: Sendable {
        let secret: SecretHash
        let service: ProjectService
        let client: ClientNetwork
        let requestQueue: FairRequestQueue
        let admission: Admission
    }
}

extension NearbyService.Device {
    /// Processes a report. Returns when the store has everything that it changes.
    package func report(_ report: WireReport) async throws(ServiceRefusal) -> WireAnswer {
        try await service.report(try value(of: report), ReportFrame(report), from: secret, at: client)
    }

    /// Reads a report as JSON and processes it, if the device's budget allows for its size.
    ///
    /// Returns when the store has everything that the report changes. Throws: `.malformed`, `.unknown`,
    /// `.incomplete`, `.tooMuch`, `.unavailable`.
    package func report(json body: [UInt8]) async throws(ServiceRefusal) -> WireAnswer {
        try await service.spend(bytes: body.count, of: secret, at: client)
        return try await requestQueue.pass(client) { () throws(ServiceRefusal) in
            let report: WireReport
            do throws(WireError) { report = try WireReport(json: body) } catch {
                throw .malformed("\(error)")
            }
            if report.isComplete == true { try await admit(.reports, as: .completeReports) }
            return try await self.report(report)
        }
    }

    private func value(of report: WireReport) throws(ServiceRefusal) -> Report {
        do throws(WireError) { return try report.value() } catch { throw .malformed("\(error)") }
    }

    /// Opens a stream of events. It ends when the device opens another one or is gone.
    ///
    /// - Parameters:
    ///   - isDirect: true if the device's connection ends at this process, so that the end of the stream
    ///     shows that the device is gone. Reports then need not show that it is there.
    ///   - reader: takes the events, from the first ``DeviceEventStream/ask()`` on.
    ///
    /// Throws: `.unknown`, `.incomplete`, `.tooMuch`.
    package func events(
        isDirect: Bool = false, to reader: any EventReader
    ) async throws(ServiceRefusal) -> DeviceEventStream {
        try await service.checkListening(secret)
        try await admit(.streams, as: .streams)
        return try await service.listen(secret, isDirect: isDirect, reader: reader)
    }

    /// Throws: `.tooMuch`, if too many devices come back at once and others go before this one.
    private func admit(_ kind: Admission.Kind, as limit: ServiceLimit) async throws(ServiceRefusal) {
        let rank = await service.rank(of: secret)
        if let wait = admission.admit(kind, rank, from: client, now: service.clock.now) {
            throw .tooMuch(limit, retryAfter: wait)
        }
    }

    /// True if something is near the device, so that it should not wait.
    package var isLive: Bool { get async { await service.rank(of: secret) == .live } }

    /// Checks whether the device may open a stream, without opening one. Throws: the same errors as
    /// ``events(isDirect:to:)``.
    package func checkEvents() async throws(ServiceRefusal) {
        try await service.checkListening(secret)
    }
}
