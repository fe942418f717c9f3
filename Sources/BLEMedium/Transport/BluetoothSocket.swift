import Glibc

/// The kernel's sockets for Bluetooth. The code needs only a family, four channels, an address of six bytes
/// and one ioctl, which are defined here: BlueZ's headers, which are under the GPL, are not used. Tests
/// compare these numbers with those headers.
enum BluetoothSocket {
    enum Channel: UInt16, CaseIterable {
        case raw = 0
        case user, monitor, control
    }

    static let family: Int32 = 31
    static let hci: Int32 = 1
    /// The device number for all adapters.
    static let noDevice: UInt16 = 0xFFFF
    /// _IOW('H', 202, int)
    static let deviceDown: UInt = 0x4004_48CA

    /// Throws: ``BLEError``; `.noPermission` names the capability.
    static func open(_ channel: Channel, device: UInt16 = noDevice) throws(BLEError) -> Descriptor {
        let flags = Int32(SOCK_RAW.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let socket = Descriptor(Glibc.socket(family, flags, hci))
        guard socket.raw >= 0 else {
            guard errno == EAFNOSUPPORT else { throw BLEError.system(errno, "no Bluetooth socket") }
            throw BLEError(
                .unavailable,
                "this kernel has no Bluetooth: load its module 'bluetooth', or name a controller")
        }
        let address = address(device, channel)
        let code = address.withUnsafeBytes {
            bind(socket.raw, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
        }
        guard code == 0 else { throw failure(errno, channel, device) }
        return socket
    }

    /// The kernel's `sockaddr_hci`: family, device and channel, 2 bytes each.
    static func address(_ device: UInt16, _ channel: Channel) -> [UInt16] {
        [UInt16(family), device, channel.rawValue]
    }

    private static func failure(_ code: Int32, _ channel: Channel, _ device: UInt16) -> BLEError {
        switch (code, channel) {
        case (EPERM, .monitor):
            .system(code, "the monitor is closed to this program", hint: "it needs CAP_NET_RAW")
        case (EPERM, _):
            .system(code, "hci\(device) is closed to this program", hint: "it needs CAP_NET_ADMIN")
        case (ENODEV, _): BLEError(.unavailable, "there is no adapter hci\(device): plug it in")
        case (EBUSY, _):
            BLEError(.unavailable, "hci\(device) is in use: stop who uses it, or take mgmt:\(device)")
        default: .system(code, "hci\(device) cannot be used")
        }
    }

    /// Opens the whole adapter. An adapter that is up is taken down first, unless the system's own Bluetooth
    /// service runs: the service would lose its keyboards and remote controls.
    static func userChannel(_ index: Int) throws(BLEError) -> Descriptor {
        let device = UInt16(truncatingIfNeeded: index)
        do throws(BLEError) {
            return try open(.user, device: device)
        } catch {
            guard error == failure(EBUSY, .user, device), !SystemProcesses.contains("bluetoothd") else {
                throw error
            }
            let raw = try open(.raw)
            guard ioctl(raw.raw, deviceDown, Int32(device)) == 0 else {
                throw BLEError.system(
                    errno, "hci\(index) is up and cannot be taken down", hint: "it needs CAP_NET_ADMIN")
            }
            return try open(.user, device: device)
        }
    }
}

/// A look at the system's processes.
enum SystemProcesses {
    /// Returns true if a process of this name, of at most 15 characters, exists.
    static func contains(_ name: String) -> Bool {
        guard let folder = opendir("/proc") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let number = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            guard number.allSatisfy({ (48...57).contains($0) }) else { continue }
            let path = "/proc/\(String(decoding: number, as: UTF8.self))/comm"
            if SystemFile.text(path)?.split(separator: "\n").first.map(String.init) == name { return true }
        }
        return false
    }
}

/// A reader of the kernel's small files.
enum SystemFile {
    /// Returns up to 4096 bytes of a file; `nil` if it cannot be read.
    static func text(_ path: String) -> String? {
        let file = Descriptor(open(path, O_RDONLY | O_CLOEXEC))
        guard file.raw >= 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(file.raw, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
}
