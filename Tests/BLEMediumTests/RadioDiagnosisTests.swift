import BLEMedium
import Testing

/// Tests of the obstacles of each radio, on invented machines.
@Suite struct RadioDiagnosisTests {
    /// Bits 0 and 9 of the settings: powered, low energy.
    private static let on = ManagementSettings(bits: 0x201)

    private func machine(
        on settings: ManagementSettings = on, mayAdminister: Bool = true, mayMonitor: Bool = true,
        hasService: Bool = false
    ) -> KernelInspection {
        KernelInspection(
            hasBluetooth: true,
            adapters: [
                .init(
                    index: 0, address: RadioAddress(.public, bits: 0xF0F1_F2F3_F405), version: 13,
                    company: 2, supported: RadioDiagnosisTests.on, settings: settings,
                    advertising: .init(limit: 5, byteCount: 31, hasExtended: true))
            ], mayAdminister: mayAdminister, mayMonitor: mayMonitor, hasService: hasService)
    }

    private func obstacle(_ name: String, _ diagnosis: RadioDiagnosis) throws -> BLEError.Kind? {
        try #require(diagnosis.rows.first { $0.name == name }, "\(name)").obstacle
    }

    @Test func allWorks() throws {
        let diagnosis = RadioDiagnosis(machine(hasService: false))
        #expect(diagnosis.choice == .management(0) && diagnosis.obstacle == nil)
        #expect(diagnosis.rows.allSatisfy { $0.obstacle == nil })
        let adapter = try #require(diagnosis.rows.first { $0.kind == .adapter })
        #expect(
            adapter.words
                == "F0:F1:F2:F3:F4:05, Bluetooth 5.4, legacy and extended advertising, 5 advertisements of 31 bytes at a time; is on"
        )
    }

    /// If bluetoothd has an adapter that is on, the adapter is left to it; management works beside it.
    @Test func theServiceHasIt() throws {
        let diagnosis = RadioDiagnosis(machine(hasService: true))
        #expect(try obstacle("hci-user:0", diagnosis) == .unavailable)
        #expect(try obstacle("mgmt:0", diagnosis) == nil)
        #expect(diagnosis.choice == .management(0))
    }

    @Test func itIsOff() throws {
        let off = ManagementSettings(bits: 0x200)
        let alone = RadioDiagnosis(machine(on: off))
        #expect(try obstacle("mgmt:0", alone) == .poweredOff)
        #expect(alone.choice == .userChannel(0) && alone.obstacle == nil)
        let beside = RadioDiagnosis(
            machine(on: off, mayMonitor: false, hasService: true), only: .management(0))
        #expect(beside.obstacle == .poweredOff && beside.choice == nil)
    }

    /// With CAP_NET_RAW alone, other programs' scans can be heard, so that something works. Without either
    /// capability nothing works.
    @Test func whatIsForbidden() throws {
        let some = RadioDiagnosis(machine(mayAdminister: false))
        #expect(some.obstacle == nil && some.choice == nil)
        #expect(try obstacle("auto", some) == .noPermission)
        #expect(try obstacle("monitor:0", some) == nil)
        let none = RadioDiagnosis(machine(mayAdminister: false, mayMonitor: false))
        #expect(none.obstacle == .noPermission)
        #expect(try obstacle("CAP_NET_ADMIN", none) == .noPermission)
    }

    @Test func thereIsNone() {
        let bare = KernelInspection(
            hasBluetooth: false, mayAdminister: true, mayMonitor: true, hasService: false)
        #expect(RadioDiagnosis(bare).obstacle == .unavailable)
        var empty = bare
        empty.hasBluetooth = true
        #expect(RadioDiagnosis(empty).obstacle == .unavailable)
        let other = RadioDiagnosis(machine(), only: .management(3))
        #expect(other.obstacle == .unavailable)
        #expect(other.rows.last?.words == "there is no such adapter: there are hci0")
    }

    /// A controller in this process reports its abilities.
    @Test func aControllerIsAsked() throws {
        let found = try ControllerInspection.probe(.loopback("asked"))
        #expect(found.hasExtended && found.setCount == nil)
        #expect(!(try ControllerInspection.probe(.loopback("legacy asked")).hasExtended))
        let diagnosis = RadioDiagnosis(.loopback("asked"), .success(found))
        #expect(diagnosis.obstacle == nil && diagnosis.choice == .loopback("asked"))
        #expect(throws: BLEError.self) {
            try ControllerInspection.probe(.unix(path: "/tmp/nearby no such controller"))
        }
    }
}
