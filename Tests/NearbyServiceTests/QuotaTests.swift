import Nearby
import Testing

@testable import NearbyService

/// Tests of a project's quota of devices.
@Suite struct QuotaTests {
    /// Each network gets a share only, so the devices come from many.
    private func admitted(_ quota: Int?, _ world: inout ServiceWorld) -> Int {
        world.state.settings = ServiceSettings().scaled(to: quota)
        var count = 0
        let before = world.state.members.count
        while (try? world.join(from: .attacker(before + count))) != nil { count += 1 }
        return count
    }

    @Test func aQuotaBoundsTheDevices() {
        var world = ServiceWorld()
        #expect(admitted(300, &world) == 300)
        // A larger quota admits more, and a smaller one removes nobody.
        #expect(admitted(400, &world) == 100)
        #expect(admitted(100, &world) == 0)
        #expect(world.state.members.count == 400)
    }

    /// The limits on what a project does grow with its quota, so that a million boxes can report, and are
    /// back ten minutes after a reset.
    @Test func limitsFollowTheQuota() {
        let standard = ServiceSettings()
        let large = standard.scaled(to: 1_000_000)
        #expect(large.reportsPerProject.perSecond == 5 * standard.reportsPerProject.perSecond)
        #expect(large.registrationsPerProject.perSecond >= 1_000_000 / 600)
        #expect(large.bytesKeptPerProject == 5 * standard.bytesKeptPerProject)
        #expect(standard.scaled(to: nil) == standard)
        #expect(
            standard.scaled(to: standard.devicesPerProject).reportsPerProject == standard.reportsPerProject)
        // What a single device may do is the same in every project.
        #expect(large.reportsPerDevice == standard.reportsPerDevice)
        #expect(standard.scaled(to: 1).reportsPerProject.perSecond >= 100)
    }
}
