import BLEMedium
import Glibc
import Nearby

/// What a guest needs to try a kernel's own Bluetooth (Tools/kernel-radio).
enum KernelTools {
    /// Makes an adapter of the kernel out of a controller behind `port`, a byte stream. Never returns.
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
                // Its answer to what made it: its number.
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

    /// Powers adapter 0 on, as its owner would.
    static func power(_ isOn: Bool) throws {
        let socket = Glibc.socket(31, Int32(SOCK_RAW.rawValue), 1)
        // The management channel, of all adapters.
        let address: [UInt16] = [31, 0xFFFF, 3]
        let code = address.withUnsafeBytes {
            bind(socket, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        // Set Low Energy, Set Powered.
        for command: [UInt8] in [[0x0D, 0, 0, 0, 1, 0, 1], [0x05, 0, 0, 0, 1, 0, isOn ? 1 : 0]] {
            guard code == 0, write(socket, command, command.count) == command.count else {
                throw BLEError(
                    .unavailable, "the adapter cannot be powered: \(String(cString: strerror(errno)))")
            }
            usleep(500_000)
        }
        close(socket)
    }

    /// Sends so many tokens, one after the other, and prints each of the other side's that it hears.
    static func pair(_ radio: String, side: UInt64, count: UInt64, seconds: Double) async throws {
        let medium = try BLEMedium(TransportName(radio)) { say("\(radio) \($0)") }
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

    /// Sends for a second, and ends the program without a word to the radio.
    static func leave(_ radio: String) async throws {
        let medium = try BLEMedium(TransportName(radio))
        await medium.carryOut(
            MediumAssignment(broadcast: .init([.token(Token(bits: 1))], cadence: .continuous)))
        try await Task.sleep(for: .seconds(1))
        exit(0)
    }

    /// A line at once, wherever it goes.
    private static func say(_ line: String) { _ = write(1, line + "\n", line.utf8.count + 1) }
}
