import BLEMedium
import Nearby
import Testing

struct MonitorHostTests {
    /// The host takes the events of its own adapter from those that the kernel shows of all.
    @Test func hearsWhatOthersScanFor() {
        var host = MonitorHost(adapter: 1)
        #expect(host.carryOut(RadioOrder(scan: .foreground), now: .start).count == 1)
        let event: [UInt8] = [0x3E, 13, 0x02, 1, 3, 1, 6, 5, 4, 3, 2, 1, 1, 0xAA, 0xCE]
        let heard = host.received([3, 0, 1, 0, UInt8(event.count), 0] + event, now: .start)
        #expect(
            heard == [
                .heard(
                    AdvertisingReport(
                        RadioAddress(.random, bits: 0x0102_0304_0506), rssiDBm: -50, data: [0xAA]))
            ])
        #expect(host.received([3, 0, 0, 0, UInt8(event.count), 0] + event, now: .start).isEmpty)
        #expect(host.received([2, 0, 1, 0, UInt8(event.count), 0] + event, now: .start).isEmpty)
        _ = host.stop(now: .start)
        #expect(host.isStopped)
    }
}
