import Glibc

extension KernelInspection {
    private static let netAdmin = 12
    private static let netRaw = 13

    /// Returns the present state. The inspection changes nothing.
    package static func gathered() -> KernelInspection {
        var found = KernelInspection(
            hasBluetooth: false, mayAdminister: has(netAdmin), mayMonitor: has(netRaw),
            hasService: SystemProcesses.contains("bluetoothd"))
        do throws(BLEError) {
            let socket = try BluetoothSocket.open(.control)
            found.hasBluetooth = true
            found.adapters = indices(socket).sorted().compactMap { adapter(socket, $0) }
        } catch {
            // A kernel without Bluetooth reports nothing.
        }
        return found
    }

    private static func indices(_ socket: Descriptor) -> [UInt16] {
        guard let answer = ask(socket, .readIndexList) else { return [] }
        var reader = ByteReader(answer[...])
        let count = reader.uint16() ?? 0
        return (0..<count).compactMap { _ in reader.uint16() }
    }

    private static func adapter(_ socket: Descriptor, _ index: UInt16) -> Adapter? {
        guard var adapter = ask(socket, .readInfo, index).flatMap({ Adapter(index: Int(index), info: $0) })
        else { return nil }
        adapter.advertising = ask(socket, .readAdvertisingFeatures, index).flatMap(
            Advertising.init(features:))
        return adapter
    }

    /// Returns the kernel's answer within a second; `nil` if there is none, or if it is a refusal.
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
                if case .complete(code, let status, let returned, _)? = ManagementEvent(
                    Array(buffer[..<count]))
                {
                    return status == 0 ? returned : nil
                }
            }
        } catch {
            // An error counts as no answer.
        }
        return nil
    }

    private static func has(_ capability: Int) -> Bool {
        let line = SystemFile.text("/proc/self/status")?.split(separator: "\n").first {
            $0.hasPrefix("CapEff:")
        }
        let mask = line?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        return mask >> capability & 1 == 1
    }
}
