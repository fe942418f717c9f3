import Glibc
import Nearby

/// A controller's description of itself, requested by HCI. The request begins with Reset, as every use does,
/// and so ends everything that the controller does.
package struct ControllerInspection: Sendable, Hashable {
    /// `nil` if the controller does not report it.
    package var address: RadioAddress?
    /// The Bluetooth version as the specification numbers it: 13 is 5.4.
    package var version: UInt8?
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
        found.version = try line.ask(.readVersion)?.first
        found.address = try line.ask(.readAddress).flatMap {
            $0.count == 6 ? RadioAddress(.public, wire: $0[...]) : nil
        }
        let bits = try line.ask(.readCommands) ?? []
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
