import GNSMessages
import Nearby
import Testing

/// Tests of the app's notifications about the media's permissions and power.
@Suite struct ErrorStateTests {
    private let world = World()

    private func manager(of device: Device, _ record: Record, showsAlert: Bool = true) -> GNSMessageManager {
        device.run {
            GNSMessageManager(
                apiKey: "key",
                paramsBlock: { params in
                    params?.shouldShowBluetoothPowerAlert = showsAlert
                    params?.microphonePermissionErrorHandler = { record.add("microphone", $0) }
                    params?.bluetoothPowerErrorHandler = { record.add("power", $0) }
                    params?.bluetoothPermissionErrorHandler = { record.add("bluetooth", $0) }
                })
        }
    }

    @Test func eachHandlerFollowsItsMedium() async {
        let record = Record()
        let device = world.device(media: [.audio: .ready, .ble: .ready])
        let manager = manager(of: device, record)
        device.audio.set(MediumCondition(scan: .forbidden))
        await eventually { record.values("microphone") == [true] }
        device.audio.set(.ready)
        await eventually { record.values("microphone") == [true, false] }
        device.ble.set(MediumCondition(broadcast: .poweredOff, scan: .poweredOff))
        await eventually { record.values("power") == [true] }
        device.ble.set(MediumCondition(broadcast: .forbidden))
        await eventually { record.values("bluetooth") == [true] && record.values("power") == [true, false] }
        device.ble.set(.ready)
        await eventually { record.values("bluetooth") == [true, false] }
        #expect(record.values("microphone") == [true, false] && record.areAllOnMain)
        withExtendedLifetime(manager) {}
    }

    /// A loudspeaker that may not be used, or a missing microphone, does not affect the microphone's
    /// permission.
    @Test func otherObstaclesSayNothing() async {
        let record = Record()
        let device = world.device(media: [.audio: MediumCondition(broadcast: .forbidden, scan: .missing)])
        let manager = manager(of: device, record)
        device.audio.set(.missing)
        device.audio.set(MediumCondition(scan: .forbidden))
        await eventually { !record.isEmpty }
        #expect(record.words == ["microphone"])
        withExtendedLifetime(manager) {}
    }

    @Test(arguments: [true, false]) func powerAlertIsShownIfWanted(isWanted: Bool) async {
        let (record, alerts) = (Record(), Record())
        let device = world.device(media: [.ble: .ready]) { environment in
            environment.showBluetoothPowerAlert = { alerts.add("alert", nil) }
        }
        let manager = manager(of: device, record, showsAlert: isWanted)
        device.ble.set(MediumCondition(broadcast: .poweredOff, scan: .poweredOff))
        device.ble.set(.ready)
        await eventually { record.values("power") == [true, false] }
        await eventually { alerts.words == (isWanted ? ["alert"] : []) }
        withExtendedLifetime(manager) {}
    }
}
