import Nearby
import Synchronization

/// A medium without sound: each device that scans receives each payload of each device that broadcasts, every
/// 20 ms.
final class FrameAir: Sendable {
    private let media = Mutex<[FrameMedium]>([])

    func medium() -> FrameMedium {
        let one = FrameMedium(self)
        media.withLock { $0.append(one) }
        return one
    }

    func spread(_ payload: Sighting.Payload, from speaker: FrameMedium) {
        for one in media.withLock({ $0 }) where one !== speaker { one.hear(payload) }
    }
}

final class FrameMedium: MediumDriver {
    let medium = Medium.audio
    private let air: FrameAir
    private let reader = Mutex<AsyncStream<MediumEvent>.Continuation?>(nil)
    private let isScanning = Mutex(false)
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(_ air: FrameAir) { self.air = air }

    func events() -> AsyncStream<MediumEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: MediumEvent.self)
        continuation.yield(.condition(.ready))
        reader.withLock { $0 = continuation }
        return stream
    }

    func hear(_ payload: Sighting.Payload) {
        guard isScanning.withLock({ $0 }) else { return }
        _ = reader.withLock { $0?.yield(.sighted(Sighting(payload, on: medium))) }
    }

    func carryOut(_ assignment: MediumAssignment) async {
        isScanning.withLock { $0 = assignment.isScanning }
        let payloads = assignment.broadcast?.payloads ?? []
        task.withLock {
            $0?.cancel()
            $0 = Task { [air] in
                while !payloads.isEmpty, !Task.isCancelled {
                    for payload in payloads { air.spread(payload, from: self) }
                    do { try await Task.sleep(for: .milliseconds(20)) } catch { return }
                }
            }
        }
    }
}
