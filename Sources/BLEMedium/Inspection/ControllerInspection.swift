import Glibc
import Nearby

/// A controller's description of itself, requested by HCI. The request begins with Reset, as every use does,
/// and so ends everything that the controller does.
package struct ControllerInspection: Sendable, Hashable {
    /// `nil` if the controller does not report it.
    package var address: RadioAddress?
    /// The Bluetooth version as the specification numbers it: 13 is 5.4.
    package var version: UInt8?
    /// The version of the link manager, numbered as ``version`` is.
    package var linkManagerVersion: UInt8?
    /// The company identifier of the controller's maker.
    package var company: UInt16?
    /// The features of page 0, 8 bytes of bits; `nil` if the controller does not report them.
    package var features: [UInt8]?
    /// The supported commands, 64 bytes of bits; `nil` if the controller does not report them.
    package var commands: [UInt8]?
    package var hasExtended = false
    /// The number of advertisements at a time; `nil` if the controller does not report it.
    package var setCount: Int?
    /// The largest number of bytes in an extended advertisement; `nil` if the controller does not report it.
    package var byteCount: Int?

    /// Asks a controller that no other program uses. Throws: ``BLEError`` if it is not there, or does not
    /// answer within 2 s.
    package static func probe(_ name: TransportName) throws(BLEError) -> ControllerInspection {
        var line = ControllerLine(try HCITransport.open(name))
        var found = ControllerInspection()
        guard try line.ask(.reset) != nil else { throw BLEError(.failing, "\(name) refuses to be reset") }
        if let answer = try line.ask(.readVersion) { found.take(version: answer) }
        found.address = try line.ask(.readAddress).flatMap {
            $0.count == 6 ? RadioAddress(.public, wire: $0[...]) : nil
        }
        found.features = try line.ask(.readFeatures)
        found.commands = try line.ask(.readCommands)
        let bits = found.commands ?? []
        let features = try line.ask(.readLEFeatures) ?? []
        let hasFeature = features.dropFirst().first.map { $0 & 0x10 != 0 } ?? false
        found.hasExtended = hasFeature && ControllerState.hasExtendedCommands(bits)
        if found.hasExtended {
            found.byteCount = try line.ask(.readAdvertisingByteCount).flatMap {
                var reader = ByteReader($0[...])
                return reader.uint16().map(Int.init)
            }
            found.setCount = try line.ask(.readSetCount)?.first.map(Int.init)
        }
        return found
    }

    /// Takes the answer to ``HCICommand/Code/readVersion``: version 1, revision 2, link manager's version 1,
    /// maker 2, subversion 2 bytes.
    private mutating func take(version answer: [UInt8]) {
        var reader = ByteReader(answer[...])
        version = reader.byte()
        guard reader.uint16() != nil else { return }
        linkManagerVersion = reader.byte()
        company = reader.uint16()
    }
}

/// A connection that sends commands to a controller, one after the other.
private struct ControllerLine: ~Copyable {
    private static let patience = Duration.seconds(2)

    private let transport: HCITransport
    private var stream = H4Reassembler()
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 12, alignment: 8)

    init(_ transport: HCITransport) { self.transport = transport }

    deinit { buffer.deallocate() }

    /// Returns the bytes that follow the status in the answer; `nil` if the controller refuses.
    mutating func ask(_ code: HCICommand.Code) throws(BLEError) -> [UInt8]? {
        try transport.descriptor.write(HCICommand(code).h4)
        let clock = RadioClock()
        let end = clock.now() + ControllerLine.patience
        while clock.now() < end {
            var wait = pollfd(fd: transport.descriptor.raw, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, clock.milliseconds(until: end, atMost: 2000))
            guard let count = try transport.descriptor.read(into: buffer) else { continue }
            let bytes = Array(buffer[..<count])
            let packets =
                if case .stream = transport.framing { try stream.take(bytes) } else {
                    HCIPacket(h4: bytes[...]).map { [$0] } ?? []
                }
            for packet in packets where packet.kind == .event {
                switch HCIEvent(packet.bytes) {
                case .commandComplete(code, _, let returned)?:
                    return returned.first == 0 ? Array(returned.dropFirst()) : nil
                case .commandStatus(code, _, let status)? where status != 0: return nil
                default: break
                }
            }
        }
        throw BLEError(.failing, "no answer to HCI command \(code) within 2 s: is it a Bluetooth controller?")
    }
}
