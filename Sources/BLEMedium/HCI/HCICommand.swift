/// A command from a host to a controller (Core 5.4, volume 4, part E §7.3 to §7.8). Counterpart:
/// ``HCIEvent``.
package struct HCICommand: Sendable, Hashable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        /// The code in a command complete event that answers no command and only says that commands may be
        /// sent.
        static let none = Code(rawValue: 0)
        package static let reset = Code(rawValue: 0x0C03)
        static let setEventMask = Code(rawValue: 0x0C01)
        static let readVersion = Code(rawValue: 0x1001)
        static let readCommands = Code(rawValue: 0x1002)
        static let readFeatures = Code(rawValue: 0x1003)
        static let readAddress = Code(rawValue: 0x1009)
        static let setLEEventMask = Code(rawValue: 0x2001)
        static let readLEFeatures = Code(rawValue: 0x2003)
        package static let setRandomAddress = Code(rawValue: 0x2005)
        package static let setAdvertisingParameters = Code(rawValue: 0x2006)
        package static let setAdvertisingData = Code(rawValue: 0x2008)
        package static let enableAdvertising = Code(rawValue: 0x200A)
        package static let setScanParameters = Code(rawValue: 0x200B)
        package static let enableScan = Code(rawValue: 0x200C)
        package static let setAddressOfSet = Code(rawValue: 0x2035)
        package static let setParametersOfSet = Code(rawValue: 0x2036)
        package static let setDataOfSet = Code(rawValue: 0x2037)
        package static let enableSets = Code(rawValue: 0x2039)
        static let readAdvertisingByteCount = Code(rawValue: 0x203A)
        static let readSetCount = Code(rawValue: 0x203B)
        package static let setExtendedScanParameters = Code(rawValue: 0x2041)
        package static let enableExtendedScan = Code(rawValue: 0x2042)
    }

    package var code: Code
    package var parameters: [UInt8]

    package init(_ code: Code, _ parameters: [UInt8] = []) {
        (self.code, self.parameters) = (code, parameters)
    }

    /// The packet with H4's type byte.
    package var h4: [UInt8] {
        HCIPacket(.command, [UInt8](code.rawValue) + [UInt8(parameters.count)] + parameters).h4
    }
}

extension HCICommand.Code: CustomStringConvertible {
    package var description: String { String(rawValue, radix: 16) }
}

extension Duration {
    /// The duration in the controller's slots of 0.625 ms.
    var slots: Int { Int((inSeconds / 0.000625).rounded()) }
}
