import Nearby
import Synchronization

/// A medium without distance: every device that scans hears every device that broadcasts, every 5 ms.
final class Hub: Sendable {
    private let members = Mutex<[ObjectIdentifier: HubMedium]>([:])

    func medium(_ medium: Medium = .audio) -> HubMedium {
        let one = HubMedium(medium, in: self)
        members.withLock { $0[ObjectIdentifier(one)] = one }
        return one
    }

    func leave(_ medium: HubMedium) {
        _ = members.withLock { $0.removeValue(forKey: ObjectIdentifier(medium)) }
    }

    func spread(_ payload: Sighting.Payload, on medium: Medium, from speaker: HubMedium) {
        let present = members.withLock { $0 }
        guard present[ObjectIdentifier(speaker)] != nil else { return }
        for one in present.values where one.medium == medium && one !== speaker { one.hear(payload) }
    }
}

final class HubMedium: MediumDriver {
    let medium: Medium
    private let hub: Hub
    private let reader = Mutex<AsyncStream<MediumEvent>.Continuation?>(nil)
    private let now = Mutex(MediumAssignment.idle)
    private let teller = Mutex<Task<Void, Never>?>(nil)

    init(_ medium: Medium, in hub: Hub) { (self.medium, self.hub) = (medium, hub) }

    /// The assignment that it last received.
    var assignment: MediumAssignment { now.withLock { $0 } }

    func events() -> AsyncStream<MediumEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: MediumEvent.self)
        continuation.yield(.condition(.ready))
        reader.withLock { $0 = continuation }
        return stream
    }

    func tell(_ event: MediumEvent) { _ = reader.withLock { $0?.yield(event) } }

    func hear(_ payload: Sighting.Payload) {
        if assignment.isScanning { tell(.sighted(Sighting(payload, on: medium))) }
    }

    func carryOut(_ assignment: MediumAssignment) async {
        now.withLock { $0 = assignment }
        teller.withLock {
            $0?.cancel()
            guard let payloads = assignment.broadcast?.payloads else {
                $0 = nil
                return
            }
            $0 = Task { [weak self] in
                while !Task.isCancelled, let self {
                    for payload in payloads { hub.spread(payload, on: medium, from: self) }
                    tell(.sent)
                    do { try await Task.sleep(for: .milliseconds(5)) } catch { return }
                }
            }
        }
    }

    /// Takes the device out of everybody's reach.
    func leave() { hub.leave(self) }
}
