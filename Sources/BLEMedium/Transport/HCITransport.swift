import Glibc

/// An open connection to a radio: a descriptor, and the framing of packets on it.
final class HCITransport: Sendable {
    enum Framing: Sendable {
        /// A stream of bytes, framed by H4.
        case stream
        /// One packet at a time, with H4's type byte.
        case packets
        /// The kernel's management interface, one message at a time.
        case management
        /// The kernel's monitor of all adapters' packets, one at a time.
        case monitor
    }

    let descriptor: Descriptor
    let framing: Framing
    /// The adapter's number, where several adapters share the connection.
    let adapter: Int
    /// True if the radio goes on when this program has ended.
    let outlivesProgram: Bool

    init(_ descriptor: Descriptor, _ framing: Framing, adapter: Int = 0, outlivesProgram: Bool = true) {
        (self.descriptor, self.framing, self.adapter) = (descriptor, framing, adapter)
        self.outlivesProgram = outlivesProgram
    }

    /// Throws: ``BLEError``.
    static func open(_ name: TransportName) throws(BLEError) -> HCITransport {
        switch name {
        case .auto: try open(KernelInspection.gathered().choice.name())
        case .management(let index):
            HCITransport(try BluetoothSocket.open(.control), .management, adapter: index)
        case .monitor(let index):
            HCITransport(try BluetoothSocket.open(.monitor), .monitor, adapter: index)
        case .userChannel(let index):
            HCITransport(try BluetoothSocket.userChannel(index), .packets, adapter: index)
        case .tcp(let host, let port): HCITransport(try StreamSocket.tcp(host, port), .stream)
        case .unix(let path): HCITransport(try StreamSocket.unix(path), .stream)
        case .serial(let path, let baud, let isFlowControlled):
            HCITransport(
                try SerialLine.open(path, baud: baud, isFlowControlled: isFlowControlled), .stream)
        case .loopback(let name):
            HCITransport(try LoopbackAir.named(name).connect(), .packets, outlivesProgram: false)
        }
    }
}
