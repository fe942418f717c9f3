import FoundationEssentials
import Nearby
import NearbyWire

/// Request and answer bodies from anyone: refused in one line, or a value that says itself again, and that a
/// registry takes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWireBodies(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let body = Data(UnsafeBufferPointer(start: start, count: count))
    // The fast way to read a report does what the decoder does.
    let read = Result { () throws(WireError) in try WireReport(json: Array(body)) }
    precondition(
        read == Result { () throws(WireError) in try WireCoding.decode(WireReport.self, from: body) })
    do throws(WireError) {
        let wire = try read.get()
        let report = try wire.value()
        let again = try WireCoding.decode(
            WireReport.self,
            from: WireCoding.encode(WireReport(report, mailbox: wire.mailbox, takenNews: wire.takenNews)))
        // Observations' ages are cut to whole milliseconds by the wire already.
        let repeated = try again.value()
        precondition(repeated == report && again.takenNews == wire.takenNews)
        var registry = RegistryState(random: SystemRandomNumberGenerator())
        let device = registry.join(now: .start)
        for _ in 0..<2 { _ = try? registry.report(report, from: device, now: .start) }
        _ = registry.advance(to: .start + .seconds(700))
    } catch {
        precondition(!error.description.contains("\n"), "one line")
    }
    fuzzBeacons(body)
    if let answer = try? WireCoding.decode(WireAnswer.self, from: body) {
        let observations = (0..<4).map { TokenObservation(Token(bits: $0), on: .ble, age: .zero) }
        precondition(answer.json == Array(WireCoding.encode(answer)))
        if let judged = try? answer.value(to: observations) {
            precondition(judged.verdicts.count <= observations.count)
        }
    }
    if let record = try? WireCoding.decode(WireRecord.self, from: body) { _ = try? record.value() }
    return 0
}

/// What is asked about beacons, and what is answered.
private func fuzzBeacons(_ body: Data) {
    do throws(WireError) {
        let (observed, filters) = try WireCoding.decode(WireBeaconQuery.self, from: body).value()
        let again = try WireCoding.decode(
            WireBeaconQuery.self, from: WireCoding.encode(WireBeaconQuery(observed, types: filters))
        ).value()
        precondition(again.observed == observed && again.filters == filters)
    } catch {
        precondition(!error.description.contains("\n"), "one line")
    }
    do throws(WireError) {
        let known = try WireCoding.decode(WireBeaconAnswer.self, from: body).value()
        let again = try WireCoding.decode(
            WireBeaconAnswer.self, from: WireCoding.encode(WireBeaconAnswer(known))
        ).value()
        precondition(again == known)
    } catch {
        precondition(!error.description.contains("\n"), "one line")
    }
}
