import BLEMedium
import Glibc
import Nearby
import Synchronization

/// Tools that a guest needs to try a kernel's own Bluetooth (Tools/kernel-radio).
enum KernelTools {
    /// Makes an adapter of the kernel from a controller behind `port`, a byte stream. It never returns.
    static func bridge(_ port: String) throws {
        let (line, adapter) = (open(port, O_RDWR), open("/dev/vhci", O_RDWR))
        guard line >= 0, adapter >= 0, write(adapter, [0xFF, 0] as [UInt8], 2) == 2 else {
            throw BLEError(
                .unavailable, "no bridge from \(port) to /dev/vhci: \(String(cString: strerror(errno)))")
        }
        var reassembler = H4Reassembler(isInStep: true)
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var waits = [adapter, line].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&waits, 2, -1)
            if waits[0].revents != 0 {
                let count = read(adapter, &buffer, buffer.count)
                // The kernel's answer to the creation of the adapter is its number.
                if count > 0 && buffer[0] != 0xFF { _ = write(line, buffer, count) }
            }
            guard waits[1].revents != 0 else { continue }
            let count = read(line, &buffer, buffer.count)
            guard count > 0 else {
                usleep(20_000)
                continue
            }
            for packet in try reassembler.take(buffer.prefix(count)) {
                _ = write(adapter, packet.h4, packet.bytes.count + 1)
            }
        }
    }

    /// Opens a socket of the kernel's management, for all adapters.
    static func management() throws -> Int32 {
        let socket = Glibc.socket(31, Int32(SOCK_RAW.rawValue), 1)
        let address: [UInt16] = [31, 0xFFFF, 3]
        let code = address.withUnsafeBytes {
            bind(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard code == 0 else {
            throw BLEError(.unavailable, "no management: \(String(cString: strerror(errno)))")
        }
        return socket
    }

    /// Powers an adapter on or off, as its owner would.
    static func power(_ adapter: UInt16, _ isOn: Bool) throws {
        let socket = try management()
        defer { close(socket) }
        let index = [UInt8(truncatingIfNeeded: adapter), 0]
        let (energy, power): ([UInt8], [UInt8]) = ([0x0D, 0], [0x05, 0])
        // The commands are Set Low Energy and Set Powered.
        for command in [energy + index + [1, 0, 1], power + index + [1, 0, isOn ? 1 : 0]] {
            guard write(socket, command, command.count) == command.count else {
                throw BLEError(
                    .unavailable, "hci\(adapter) cannot be powered: \(String(cString: strerror(errno)))")
            }
            usleep(500_000)
        }
    }

    /// Prints the numbers of the advertisements that the kernel holds.
    static func instances(_ adapter: UInt16) throws {
        let socket = try management()
        defer { close(socket) }
        let question = ManagementCommand(.readAdvertisingFeatures, adapter: adapter).bytes
        _ = write(socket, question, question.count)
        var buffer = [UInt8](repeating: 0, count: 1024)
        while true {
            let count = read(socket, &buffer, buffer.count)
            guard count > 0 else { throw BLEError(.failing, "no answer") }
            guard
                case .complete(.readAdvertisingFeatures, 0, let returned, adapter)? = ManagementEvent(
                    Array(buffer.prefix(count))), returned.count > 7
            else { continue }
            say("hci\(adapter) holds \(returned.dropFirst(8).map { "\($0)" }.joined(separator: " "))")
            return
        }
    }

    /// Prints each advertisement on air when it appears, and, after 2 s without it, the time when it was last
    /// heard.
    static func watch(_ radio: String, seconds: Double) async throws {
        struct One: Hashable {
            var address: RadioAddress
            var data: [UInt8]

            var words: String {
                data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + " \(address)"
            }
        }
        // It is a class, so that closures can share it.
        final class Air: Sendable { let heard = Mutex<[One: Int]>([:]) }
        let air = Air()
        let radio = try BLERadio(
            TransportName(radio),
            .init(
                heard: { report, _ in
                    let one = One(address: report.address, data: report.data)
                    if air.heard.withLock({ $0.updateValue(time(nil), forKey: one) }) == nil {
                        say("on \(time(nil)) \(one.words)")
                    }
                }, found: { _, _, _ in }))
        radio.carryOut(RadioOrder(scan: .foreground))
        let end = time(nil) + Int(seconds)
        while time(nil) < end {
            try await Task.sleep(for: .milliseconds(250))
            for (one, last) in air.heard.withLock({ $0 }) where last + 2 < time(nil) {
                air.heard.withLock { $0[one] = nil }
                say("off \(last) \(one.words)")
            }
        }
        radio.carryOut(.idle)
        await radio.silence()
    }

    /// Sends so many tokens, one after the other, and prints each of the other side's that it hears.
    static func pair(_ radio: String, side: UInt64, count: UInt64, seconds: Double) async throws {
        let medium = try BLEMedium(TransportName(radio)) { say("\(radio) \($0.rawValue): \($2)") }
        let reader = Task {
            var heard: Set<Token> = []
            for await case .sighted(let sighting) in medium.events() {
                guard case .token(let token) = sighting.payload, token.bits >> 32 != side else { continue }
                if heard.insert(token).inserted { say("\(radio) heard \(token)") }
            }
        }
        for number in 0..<count {
            let token = Token(bits: side << 32 | number)
            await medium.carryOut(
                MediumAssignment(broadcast: .init([.token(token)], cadence: .continuous), isScanning: true))
            try await Task.sleep(for: .seconds(seconds / Double(count)))
        }
        await medium.carryOut(.idle)
        reader.cancel()
        await reader.value
    }

    /// Sends for a second, and ends the program without ending the broadcast.
    static func leave(_ radio: String, by way: String) async throws {
        let medium = try BLEMedium(TransportName(radio))
        await medium.carryOut(
            MediumAssignment(broadcast: .init([.token(Token(bits: 1))], cadence: .continuous)))
        try await Task.sleep(for: .seconds(1))
        if way == "kill" { kill(getpid(), SIGKILL) }
        exit(0)
    }

    /// Writes a line at once, whatever the output is.
    private static func say(_ line: String) { _ = write(1, line + "\n", line.utf8.count + 1) }
}
