import Glibc
import MediumShell
import Nearby

/// An open radio: it connects a host and a transport.
struct RadioSession: ~Copyable {
    private let transport: HCITransport
    private var host: any LEHost
    private var stream = H4Reassembler()
    private let listener: BLERadio.Listener
    private let clock: RadioClock
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 8)
    /// True once the radio has done what it was ordered to do.
    private(set) var isWorking = false
    /// `nil` until something is sent that has to be ended.
    private var watchdog: Watchdog?
    /// The messages that the watchdog holds.
    private var stopCommands: [[UInt8]] = []

    init(_ transport: HCITransport, _ listener: BLERadio.Listener, _ clock: RadioClock) {
        (self.transport, self.listener, self.clock) = (transport, listener, clock)
        host =
            switch transport.framing {
            case .stream, .packets: HCIHost()
            case .management: ManagementHost(adapter: UInt16(truncatingIfNeeded: transport.adapter))
            case .monitor: MonitorHost(adapter: UInt16(truncatingIfNeeded: transport.adapter))
            }
    }

    deinit { buffer.deallocate() }

    var isReceiveOnly: Bool {
        if case .monitor = transport.framing { true } else { false }
    }

    mutating func carryOut(_ order: RadioOrder) throws(BLEError) {
        let now = clock.now()
        if let due = host.nextDeadline, due <= now { try perform(host.advance(to: now)) }
        try perform(host.carryOut(order, now: now))
    }

    /// Waits until data has arrived, the pipe wakes it, or something is due.
    mutating func wait(_ wakePipe: WakePipe, atMost limit: Int32) throws(BLEError) {
        var waits = [transport.descriptor.raw, wakePipe.reading].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        poll(&waits, 2, clock.milliseconds(until: host.nextDeadline, atMost: limit))
        wakePipe.clear()
        if waits[0].revents != 0 { try receive() }
    }

    /// Ends everything that the radio does.
    mutating func stop(within time: Duration, _ wakePipe: WakePipe) throws(BLEError) {
        let end = clock.now() + time
        try perform(host.stop(now: clock.now()))
        while !host.isStopped {
            let now = clock.now()
            guard now < end else {
                throw BLEError(.failing, "the radio did not confirm that it stopped")
            }
            var wait = pollfd(fd: transport.descriptor.raw, events: Int16(POLLIN), revents: 0)
            poll(&wait, 1, clock.milliseconds(until: end, atMost: 500))
            if wait.revents != 0 { try receive() }
        }
    }

    /// Receives what has arrived, but with a bound: a flood must not keep the session from its other work.
    private mutating func receive() throws(BLEError) {
        for _ in 0..<16 {
            guard let count = try transport.descriptor.read(into: buffer) else { return }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            let now = clock.now()
            if case .stream = transport.framing {
                for packet in try stream.take(bytes) {
                    listener.packet?(packet, .fromController)
                    try perform(host.received(packet.h4, now: now))
                }
            } else {
                let message = Array(bytes)
                show(message)
                try perform(host.received(message, now: now))
            }
        }
    }

    /// Shows a received message to the listener for packets.
    private func show(_ message: [UInt8]) {
        guard let show = listener.packet else { return }
        switch transport.framing {
        case .packets: HCIPacket(h4: message[...]).map { show($0, .fromController) }
        case .monitor:
            MonitorHost.packet(message, adapter: UInt16(truncatingIfNeeded: transport.adapter))
                .map { show($0.packet, $0.direction) }
        case .stream, .management: break
        }
    }

    /// Updates the watchdog before anything is sent that has to be ended.
    private mutating func prepareStopCommands() throws(BLEError) {
        let words = host.stopCommands
        guard words != stopCommands, transport.outlivesProgram else { return }
        if watchdog == nil { watchdog = try Watchdog(transport.descriptor) }
        try watchdog!.remember(words)
        stopCommands = words
    }

    private mutating func perform(_ actions: [HostAction]) throws(BLEError) {
        try prepareStopCommands()
        for action in actions {
            switch action {
            case .send(let bytes):
                if let show = listener.packet, let packet = HCIPacket(sent: bytes, transport.framing) {
                    show(packet, .toController)
                }
                try transport.descriptor.write(bytes)
            case .heard(let report): listener.heard(report, clock.now())
            case .found(let obstacle, let role, let words):
                if obstacle == nil { isWorking = true }
                if !(isReceiveOnly && role == .broadcast) { listener.found(obstacle, role, words) }
            case .reopen(let words): throw BLEError(.failing, words)
            }
        }
    }
}
