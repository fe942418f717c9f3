import Glibc

extension TransportChoice.Facts {
    private static let netAdmin = 12

    /// As they are now.
    static func gathered() -> Self {
        var facts = TransportChoice.Facts(
            adapter: nil, isPowered: nil, hasBluetooth: false, mayAdminister: mayAdminister,
            hasService: SystemProcesses.contains("bluetoothd"))
        do throws(BLEError) {
            let socket = try BluetoothSocket.open(.control)
            facts.hasBluetooth = true
            facts.adapter = ask(socket, .readIndexList).flatMap { answer in
                var reader = ByteReader(answer[...])
                let count = reader.uint16() ?? 0
                return (0..<count).compactMap { _ in reader.uint16() }.min().map(Int.init)
            }
            if let adapter = facts.adapter {
                facts.isPowered =
                    ask(socket, .readInfo, UInt16(adapter)).flatMap(ManagementSettings.init(info:))?
                    .isPowered
            }
        } catch {
            // Without the kernel's Bluetooth nothing of it is known.
        }
        return facts
    }

    /// What the kernel answers within a second; nil: nothing, or no.
    private static func ask(
        _ socket: Descriptor, _ code: ManagementCommand.Code, _ adapter: UInt16 = ManagementCommand.noAdapter
    ) -> [UInt8]? {
        do throws(BLEError) {
            try socket.write(ManagementCommand(code, adapter: adapter).bytes)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
            defer { buffer.deallocate() }
            for _ in 0..<20 {
                var wait = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
                poll(&wait, 1, 50)
                guard let count = try socket.read(into: buffer) else { continue }
                if case .complete(code, 0, let returned, _)? = ManagementEvent(Array(buffer[..<count])) {
                    return returned
                }
            }
        } catch {
            // It is as if nobody had answered.
        }
        return nil
    }

    private static var mayAdminister: Bool {
        let line = SystemFile.text("/proc/self/status")?.split(separator: "\n").first {
            $0.hasPrefix("CapEff:")
        }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask >> netAdmin & 1 == 1
    }
}
