import BLEMedium
import Nearby

/// A host before a modelled ``Kernel``, on a clock of its own.
struct ManagementScene {
    var host = ManagementHost(adapter: 0)
    var kernel = Kernel()
    var now = Instant.start
    var found: [HostAction] = []
    var heard: [AdvertisingReport] = []

    mutating func carryOut(_ order: RadioOrder) { perform(host.carryOut(order, now: now)) }
    mutating func receive(_ event: [UInt8]) { perform(host.received(event, now: now)) }
    mutating func stop() { perform(host.stop(now: now)) }

    mutating func run(for time: Duration) {
        let end = now + time
        while let due = host.nextDeadline, due <= end {
            now = max(now, due)
            perform(host.advance(to: now))
        }
        now = end
    }

    private mutating func perform(_ actions: [HostAction]) {
        for action in actions {
            switch action {
            case .send(let bytes): if let answer = kernel.take(bytes) { receive(answer) }
            case .heard(let report): heard.append(report)
            case .found, .reopen: found.append(action)
            }
        }
    }
}
