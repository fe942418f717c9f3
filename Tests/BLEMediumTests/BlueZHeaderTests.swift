#if LibBluetooth
    import Beacons
    import CBluetooth
    import Foundation
    import Nearby
    import TestSupport
    import Testing

    @testable import BLEMedium

    /// Compares numbers and sizes that BLEMedium writes itself with the headers of BlueZ, from 5.66 on.
    ///
    /// These have no second source there, so that only bumble and the kernel (Tools/kernel-radio) test
    /// them: the commands in ``withoutSecondSource``; the subevents 0x0D and 0x12; the bits of extended
    /// advertising among features and commands; the header of ISO data, two bits of which are reserved; all
    /// commands, events, statuses and settings of the kernel's management, but for its address types; the
    /// monitor's numbers of packets; btsnoop; the types of advertising data; the names of versions from 5.3
    /// on.
    struct BlueZHeaderTests {
        // MARK: Sockets

        @Test func socketNumbers() {
            #expect(BluetoothSocket.family == AF_BLUETOOTH)
            #expect(BluetoothSocket.hci == BTPROTO_HCI)
            let channels = [HCI_CHANNEL_RAW, HCI_CHANNEL_USER, HCI_CHANNEL_MONITOR, HCI_CHANNEL_CONTROL]
            #expect(BluetoothSocket.Channel.allCases.map { Int32($0.rawValue) } == channels)
            #expect(BluetoothSocket.Channel.raw.rawValue == HCI_CHANNEL_RAW)
            #expect(BluetoothSocket.Channel.control.rawValue == HCI_CHANNEL_CONTROL)
            #expect(Int32(BluetoothSocket.noDevice) == HCI_DEV_NONE)
            #expect(Int32(ManagementCommand.noAdapter) == HCI_DEV_NONE)
            #expect(BluetoothSocket.deviceDown == nearby_hci_device_down())
        }

        /// The address that a socket is bound to has the header's size and the header's order of fields.
        @Test func socketAddress() {
            var address = sockaddr_hci()
            address.hci_family = sa_family_t(AF_BLUETOOTH)
            (address.hci_dev, address.hci_channel) = (0x0102, UInt16(HCI_CHANNEL_CONTROL))
            let ours = BluetoothSocket.address(0x0102, .control).withUnsafeBytes { Array($0) }
            #expect(ours == BlueZHeaderTests.bytes(address))
        }

        /// A radio's name accepts the numbers of adapters, and not the number for none.
        @Test func adapterNumbers() throws {
            #expect(try TransportName("mgmt:\(HCI_DEV_NONE - 1)") == .management(Int(HCI_DEV_NONE) - 1))
            #expect(throws: BLEError.self) { try TransportName("mgmt:\(HCI_DEV_NONE)") }
        }

        // MARK: Packets

        @Test func packetTypes() {
            let kinds: [HCIPacket.Kind: (Int32, Int?)] = [
                .command: (HCI_COMMAND_PKT, MemoryLayout<hci_command_hdr>.size),
                .acl: (HCI_ACLDATA_PKT, MemoryLayout<hci_acl_hdr>.size),
                .sco: (HCI_SCODATA_PKT, MemoryLayout<hci_sco_hdr>.size),
                .event: (HCI_EVENT_PKT, MemoryLayout<hci_event_hdr>.size),
                .iso: (HCI_ISODATA_PKT, nil),
            ]
            #expect(kinds.count == HCIPacket.Kind.allCases.count)
            for (kind, (number, size)) in kinds {
                #expect(Int32(kind.rawValue) == number, "\(kind)")
                if let size { #expect(kind.headerByteCount == size, "\(kind)") }
            }
            let header = hci_command_hdr(opcode: 0x0C03, plen: 2)
            #expect(
                HCICommand(.reset, [7, 8]).h4
                    == [UInt8(HCI_COMMAND_PKT)] + BlueZHeaderTests.bytes(header) + [7, 8])
        }

        // MARK: Commands

        private static let commands: [HCICommand.Code: (group: Int32, command: Int32)] = [
            .reset: (OGF_HOST_CTL, OCF_RESET),
            .setEventMask: (OGF_HOST_CTL, OCF_SET_EVENT_MASK),
            .readVersion: (OGF_INFO_PARAM, OCF_READ_LOCAL_VERSION),
            .readCommands: (OGF_INFO_PARAM, OCF_READ_LOCAL_COMMANDS),
            .readFeatures: (OGF_INFO_PARAM, OCF_READ_LOCAL_FEATURES),
            .readAddress: (OGF_INFO_PARAM, OCF_READ_BD_ADDR),
            .setLEEventMask: (OGF_LE_CTL, OCF_LE_SET_EVENT_MASK),
            .readLEFeatures: (OGF_LE_CTL, OCF_LE_READ_LOCAL_SUPPORTED_FEATURES),
            .setRandomAddress: (OGF_LE_CTL, OCF_LE_SET_RANDOM_ADDRESS),
            .setAdvertisingParameters: (OGF_LE_CTL, OCF_LE_SET_ADVERTISING_PARAMETERS),
            .setAdvertisingData: (OGF_LE_CTL, OCF_LE_SET_ADVERTISING_DATA),
            .enableAdvertising: (OGF_LE_CTL, OCF_LE_SET_ADVERTISE_ENABLE),
            .setScanParameters: (OGF_LE_CTL, OCF_LE_SET_SCAN_PARAMETERS),
            .enableScan: (OGF_LE_CTL, OCF_LE_SET_SCAN_ENABLE),
        ]

        /// The extended commands, which BlueZ's headers leave out.
        private static let withoutSecondSource: Set<HCICommand.Code> = [
            .setAddressOfSet, .setParametersOfSet, .setDataOfSet, .enableSets, .readAdvertisingByteCount,
            .readSetCount, .setExtendedScanParameters, .enableExtendedScan,
        ]

        @Test func opcodes() {
            for (code, (group, command)) in BlueZHeaderTests.commands {
                #expect(code.rawValue == nearby_hci_opcode(UInt16(group), UInt16(command)), "\(code)")
            }
        }

        /// No opcode in the source file is missing from the two lists above, whichever is added later.
        @Test func everyOpcodeIsListed() throws {
            let source = try String(
                contentsOfFile: Repository.path("Sources/BLEMedium/HCI/HCICommand.swift"), encoding: .utf8)
            let written = source.matches(of: /Code\(rawValue: 0x([0-9A-F]{4})\)/).compactMap {
                UInt16($0.1, radix: 16)
            }
            let listed = BlueZHeaderTests.withoutSecondSource.union(BlueZHeaderTests.commands.keys)
            #expect(written.count == listed.count)
            #expect(Set(written) == Set(listed.map(\.rawValue)))
        }

        private static func bytes(_ value: some BitwiseCopyable) -> [UInt8] {
            withUnsafeBytes(of: value) { Array($0) }
        }

        private static func parameters(_ step: ControllerStep) -> [UInt8] {
            step.command(isExtended: false).parameters
        }

        private static let address = RadioAddress(.random, bits: 0x0605_0403_0201)
        private static let wire = bdaddr_t(b: (1, 2, 3, 4, 5, 6))

        /// The parameters of the old commands, as the header's structures lay them out.
        @Test func parameters() {
            let advertising = ControllerState.AdvertisingParameters(
                interval: .milliseconds(100), isExtended: false)
            let expected = le_set_advertising_parameters_cp(
                min_interval: 160, max_interval: 160, advtype: 3,
                own_bdaddr_type: UInt8(LE_RANDOM_ADDRESS),
                direct_bdaddr_type: 0, direct_bdaddr: bdaddr_t(), chan_map: 7, filter: 0)
            #expect(
                BlueZHeaderTests.parameters(.setAdvertisingParameters(advertising))
                    == BlueZHeaderTests.bytes(expected))
            let scan = RadioOrder.Scan.foreground
            let scanning = le_set_scan_parameters_cp(
                type: 0, interval: UInt16(scan.interval.slots), window: UInt16(scan.window.slots),
                own_bdaddr_type: UInt8(LE_RANDOM_ADDRESS), filter: 0)
            #expect(BlueZHeaderTests.parameters(.setScan(scan)) == BlueZHeaderTests.bytes(scanning))
            #expect(
                BlueZHeaderTests.parameters(.enableScan(true))
                    == BlueZHeaderTests.bytes(le_set_scan_enable_cp(enable: 1, filter_dup: 0)))
            #expect(
                BlueZHeaderTests.parameters(.enableAdvertising(true))
                    == BlueZHeaderTests.bytes(le_set_advertise_enable_cp(enable: 1)))
            #expect(
                BlueZHeaderTests.parameters(.setAddress(BlueZHeaderTests.address))
                    == BlueZHeaderTests.bytes(le_set_random_address_cp(bdaddr: BlueZHeaderTests.wire)))
            var data = le_set_advertising_data_cp()
            (data.length, data.data.0, data.data.1) = (2, 8, 9)
            #expect(BlueZHeaderTests.parameters(.setData([8, 9])) == BlueZHeaderTests.bytes(data))
            #expect(BlueZHeaderTests.parameters(.setEventMask).count == MemoryLayout<set_event_mask_cp>.size)
            #expect(
                BlueZHeaderTests.parameters(.setLEEventMask).count == MemoryLayout<le_set_event_mask_cp>.size)
        }

        // MARK: Events

        private static func event(_ code: Int32, _ bytes: [UInt8]) -> HCIEvent? {
            HCIEvent(self.bytes(hci_event_hdr(evt: UInt8(code), plen: UInt8(bytes.count))) + bytes)
        }

        @Test func events() {
            let complete = BlueZHeaderTests.bytes(evt_cmd_complete(ncmd: 3, opcode: 0x0C03))
            #expect(
                BlueZHeaderTests.event(EVT_CMD_COMPLETE, complete + [0])
                    == .commandComplete(.reset, commandCount: 3, returned: [0]))
            let status = evt_cmd_status(status: 0x0C, ncmd: 2, opcode: 0x0C03)
            #expect(
                BlueZHeaderTests.event(EVT_CMD_STATUS, BlueZHeaderTests.bytes(status))
                    == .commandStatus(.reset, commandCount: 2, status: 0x0C))
            #expect(
                BlueZHeaderTests.event(
                    EVT_HARDWARE_ERROR, BlueZHeaderTests.bytes(evt_hardware_error(code: 9)))
                    == .hardwareError(9))
        }

        /// A report is a subevent, a count, the header's structure, the data, and the signal strength.
        @Test func advertisingReport() {
            let info: [UInt8] =
                [3, UInt8(LE_RANDOM_ADDRESS)] + BlueZHeaderTests.bytes(BlueZHeaderTests.wire) + [2]
            #expect(
                info.count == LE_ADVERTISING_INFO_SIZE && info.count == MemoryLayout<le_advertising_info>.size
            )
            #expect(MemoryLayout<bdaddr_t>.size == BlueZHeaderTests.address.wire.count)
            let bytes = [UInt8(EVT_LE_ADVERTISING_REPORT), 1] + info + [8, 9, 0xCE]
            #expect(
                BlueZHeaderTests.event(EVT_LE_META_EVENT, bytes)
                    == .reports([AdvertisingReport(BlueZHeaderTests.address, rssiDBm: -50, data: [8, 9])]))
        }

        /// The answers in which a controller describes itself.
        @Test func answers() {
            // Status, version 1, revision 2, link manager 1, maker 2, subversion 2 bytes.
            #expect(MemoryLayout<read_local_version_rp>.size == 9)
            #expect(MemoryLayout.offset(of: \read_local_version_rp.lmp_ver) == 4)
            #expect(MemoryLayout.offset(of: \read_local_version_rp.manufacturer) == 5)
            #expect(MemoryLayout<read_local_commands_rp>.size == 1 + 64)
            #expect(MemoryLayout<read_local_features_rp>.size == 1 + 8)
            #expect(MemoryLayout<read_bd_addr_rp>.size == 1 + 6)
            #expect(MemoryLayout<le_read_local_supported_features_rp>.size == 1 + 8)
        }

        // MARK: Addresses, names

        @Test func addressTypes() {
            #expect(Int(RadioAddress.Kind.public.rawValue) == LE_PUBLIC_ADDRESS)
            #expect(Int(RadioAddress.Kind.random.rawValue) == LE_RANDOM_ADDRESS)
            // The kernel's management numbers them differently.
            for (type, kind) in [(BDADDR_LE_PUBLIC, RadioAddress.Kind.public), (BDADDR_LE_RANDOM, .random)] {
                let body: [UInt8] =
                    BlueZHeaderTests.bytes(BlueZHeaderTests.wire) + [UInt8(type), 0xCE, 0, 0, 0, 0, 1, 0, 8]
                let event = ManagementEvent([0x12, 0, 0, 0, UInt8(body.count), 0] + body)
                let address = RadioAddress(kind, bits: BlueZHeaderTests.address.bits)
                #expect(
                    event == .heard(AdvertisingReport(address, rssiDBm: -50, data: [8]), adapter: 0),
                    "\(type)")
            }
            let discover = ManagementStep.discover(true).command(0).parameters
            let (open, random) = (UInt8(BDADDR_LE_PUBLIC), UInt8(BDADDR_LE_RANDOM))
            let kinds: UInt8 = 1 << open | 1 << random
            #expect(discover == [kinds])
        }

        /// The names of versions, as far as libbluetooth 5.66 has them.
        @Test(arguments: UInt8(6)...11)
        func versionNames(_ version: UInt8) throws {
            let name = try #require(hci_vertostr(UInt32(version)))
            defer { free(name) }
            #expect(RadioDiagnosis.Abilities(version: version).bluetooth == String(cString: name))
        }

        @Test func companies() {
            #expect(bt_compidtostr(Int32(IBeaconFrame.company)).map { String(cString: $0) } == "Apple, Inc.")
        }
    }
#endif
