import BLEMedium
import CommandOutput
import Glibc
import Synchronization

/// HCI packets on their way into a file, each written at once: what a program that was killed has heard is there.
final class CaptureFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let failed: @Sendable (CommandFailure) -> Void
    /// One record at a time.
    private let lock = Mutex(false)

    /// - Parameter failed: told once, from any thread, when it cannot be written.
    ///
    /// Throws: 73 when there can be no such file; 77 when it is forbidden.
    init(_ path: String, failed: @escaping @Sendable (CommandFailure) -> Void) throws(CommandFailure) {
        (self.path, self.failed) = (path, failed)
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw CommandFailure(
                code == EACCES || code == EPERM ? .noPermission : .cannotCreate,
                "\(path): cannot be created: \(String(cString: strerror(code)))")
        }
        write(Btsnoop.header)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func add(_ packet: HCIPacket, _ direction: HCIPacket.Direction) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        write(Btsnoop.record(packet, direction, microsecondsSince1970: microseconds))
    }

    private func write(_ bytes: [UInt8]) {
        lock.withLock { hasFailed in
            var rest = bytes[...]
            while !rest.isEmpty, !hasFailed {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    hasFailed = true
                    failed(
                        CommandFailure(
                            .inputOutput, "\(path): writing failed: \(String(cString: strerror(errno)))"))
                }
            }
        }
    }
}
