import BLEMedium

/// A partial model of the kernel's management interface, by doc/mgmt-api and the behaviour of a kernel 6.1.
struct Kernel {
    var settings: UInt32 = 0x0201
    var knowsMonitors = true
    /// True if the controller has a single address, which stays as long as it scans.
    var hasOneAddress = false
    var advertisements: [UInt8: [UInt8]] = [:]
    var monitors: Set<UInt16> = []
    var isDiscovering = false
    var refusal: [ManagementCommand.Code: UInt8] = [:]
    private(set) var commands: [(code: ManagementCommand.Code, parameters: [UInt8])] = []

    static func event(_ code: UInt16, _ body: [UInt8]) -> [UInt8] {
        let words = [code, 0, UInt16(body.count)]
        return words.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + body
    }

    static func bytes(_ bits: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }

    mutating func take(_ bytes: [UInt8]) -> [UInt8]? {
        guard let code = ManagementCommand.Code(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8) else {
            return nil
        }
        let parameters = Array(bytes.dropFirst(6))
        commands.append((code, parameters))
        let (status, returned) = refusal[code].map { ($0, []) } ?? carryOut(code, parameters)
        return Kernel.event(
            0x0001, [UInt8(code.rawValue & 0xFF), UInt8(code.rawValue >> 8), status] + returned)
    }

    private mutating func carryOut(_ code: ManagementCommand.Code, _ parameters: [UInt8]) -> (UInt8, [UInt8])
    {
        switch code {
        case .readInfo: return (0, [UInt8](repeating: 0, count: 13) + Kernel.bytes(settings) + [0, 0, 0])
        case .setLowEnergy:
            settings |= 0x200
            return (0, Kernel.bytes(settings))
        case .readAdvertisingFeatures:
            // The kernel lists no others.
            let listed = advertisements.keys.filter { $0 <= advertisements.count }.sorted()
            return (0, [0, 0, 0, 0, 31, 31, 5, UInt8(listed.count)] + listed)
        case .addAdvertising:
            guard settings & 1 == 1 else { return (0x0F, []) }
            if hasOneAddress && !monitors.isEmpty { return (0x03, []) }
            advertisements[parameters[0]] = Array(parameters[11...].prefix(Int(parameters[9])))
            return (0, [parameters[0]])
        case .removeAdvertising:
            return (advertisements.removeValue(forKey: parameters[0]) == nil ? 0x0D : 0, [parameters[0]])
        case .addPatternMonitor:
            guard knowsMonitors else { return (0x01, []) }
            monitors.insert(7)
            return (0, [7, 0])
        case .removeMonitor: return (monitors.remove(7) == nil ? 0x11 : 0, [7, 0])
        case .startDiscovery, .stopDiscovery:
            isDiscovering = code == .startDiscovery
            return (0, parameters)
        case .readIndexList: return (0, [1, 0, 0, 0])
        }
    }
}
