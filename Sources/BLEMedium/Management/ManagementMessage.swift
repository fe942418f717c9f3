/// A command to the kernel's management of adapters (BlueZ, doc/mgmt-api). Counterpart: ``ManagementEvent``.
package struct ManagementCommand: Sendable, Hashable {
    package enum Code: UInt16, Sendable {
        case readIndexList = 0x0003
        case readInfo = 0x0004
        case setLowEnergy = 0x000D
        case startDiscovery = 0x0023
        case stopDiscovery = 0x0024
        case readAdvertisingFeatures = 0x003D
        case addAdvertising = 0x003E
        case removeAdvertising = 0x003F
        case addPatternMonitor = 0x0052
        case removeMonitor = 0x0053
    }

    package static let noAdapter: UInt16 = 0xFFFF

    package var code: Code
    package var adapter: UInt16
    package var parameters: [UInt8]

    package init(_ code: Code, adapter: UInt16, _ parameters: [UInt8] = []) {
        (self.code, self.adapter, self.parameters) = (code, adapter, parameters)
    }

    package var bytes: [UInt8] {
        [UInt8](code.rawValue) + [UInt8](adapter) + [UInt8](UInt16(parameters.count)) + parameters
    }
}

/// The settings of an adapter.
package struct ManagementSettings: Sendable, Hashable {
    package var bits: UInt32

    package init(bits: UInt32) { self.bits = bits }

    /// Parses the answer to ``ManagementCommand/Code/readInfo``; `nil` if it is cut short.
    init?(info: [UInt8]) {
        var reader = ByteReader(info[...])
        // These bytes are address, version, manufacturer and supported settings.
        guard reader.bytes(13) != nil, let bits = reader.uint32() else { return nil }
        self.init(bits: bits)
    }

    package var isPowered: Bool { bits & 1 != 0 }
    package var hasLowEnergy: Bool { bits & 1 << 9 != 0 }
}

/// An event from the kernel's management.
package enum ManagementEvent: Sendable, Hashable {
    /// The answer to a command; status 0 means success.
    case complete(ManagementCommand.Code, UInt8, returned: [UInt8], adapter: UInt16)
    case added(adapter: UInt16)
    case removed(adapter: UInt16)
    case settings(ManagementSettings, adapter: UInt16)
    case heard(AdvertisingReport, adapter: UInt16)
    case discovering(Bool, adapter: UInt16)
    case advertisingRemoved(instance: UInt8, adapter: UInt16)
    case other

    /// `nil` if the bytes contradict their own lengths.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes[...])
        guard let kind = reader.uint16(), let adapter = reader.uint16(), let count = reader.uint16(),
            Int(count) == reader.rest.count
        else { return nil }
        switch kind {
        case 0x0001, 0x0002:
            guard let code = reader.uint16(), let status = reader.byte() else { return nil }
            guard let code = ManagementCommand.Code(rawValue: code) else {
                self = .other
                return
            }
            self = .complete(code, status, returned: Array(reader.rest), adapter: adapter)
        case 0x0004: self = .added(adapter: adapter)
        case 0x0005: self = .removed(adapter: adapter)
        case 0x0006:
            guard let bits = reader.uint32() else { return nil }
            self = .settings(ManagementSettings(bits: bits), adapter: adapter)
        case 0x0012, 0x002F:
            guard let report = ManagementEvent.report(&reader, hasHandle: kind == 0x002F) else { return nil }
            self = .heard(report, adapter: adapter)
        case 0x0013:
            guard reader.byte() != nil, let isOn = reader.byte() else { return nil }
            self = .discovering(isOn != 0, adapter: adapter)
        case 0x0024:
            guard let instance = reader.byte() else { return nil }
            self = .advertisingRemoved(instance: instance, adapter: adapter)
        default: self = .other
        }
    }

    /// Reads a report: handle 2 if it has one, address 6, type 1, RSSI 1, flags 4, length 2 bytes, data.
    private static func report(_ reader: inout ByteReader, hasHandle: Bool) -> AdvertisingReport? {
        if hasHandle, reader.uint16() == nil { return nil }
        guard let address = reader.bytes(6), let type = reader.byte(), let rssi = reader.byte(),
            reader.uint32() != nil, let count = reader.uint16(), let data = reader.bytes(Int(count))
        else { return nil }
        // Type 1 is public, 2 is random; 0 is not of Low Energy.
        guard type == 1 || type == 2 else { return nil }
        return AdvertisingReport(
            RadioAddress(type == 1 ? .public : .random, wire: address), rssiDBm: AdvertisingReport.rssi(rssi),
            data: Array(data))
    }
}
