import BLEMedium
import CommandOutput
import Glibc
import Synchronization

/// HCI packets on their way into a file, each written at once: what a program that was killed has heard is there.
final class CaptureFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let failed: @Sendable (CommandFailure) -> Void
    private struct State {
        var hasFailed = false
        /// Bytes of the header and all whole records.
        var byteCount = 0
    }

    /// One record at a time.
    private let state = Mutex(State())

    /// - Parameter failed: told once, from any thread, when it cannot be written any more.
    ///
    /// Throws: 73 when there can be no such file; 74 when nothing can be written to it; 77 when it is forbidden.
    init(_ path: String, failed: @escaping @Sendable (CommandFailure) -> Void) throws(CommandFailure) {
        (self.path, self.failed) = (path, failed)
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let code = errno
            throw CommandFailure(
                code == EACCES || code == EPERM ? .noPermission : .cannotCreate,
                "\(path): \(FileReason.creating(code))")
        }
        let code = write(Btsnoop.header)
        guard code == 0 else { throw failure(code) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func add(_ packet: HCIPacket, _ direction: HCIPacket.Direction) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
        let code = write(Btsnoop.record(packet, direction, microsecondsSince1970: microseconds))
        if code != 0 { failed(failure(code)) }
    }

    /// All of it or nothing: on a full disk the file ends with a whole record. Returns the error number, once; 0 before and after.
    private func write(_ bytes: [UInt8]) -> Int32 {
        state.withLock { state -> Int32 in
            var rest = bytes[...]
            while !rest.isEmpty, !state.hasFailed {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    state.hasFailed = true
                    let code = errno
                    // Nothing can be taken back from a pipe or a device.
                    _ = ftruncate(descriptor, state.byteCount)
                    return code
                }
            }
            if rest.isEmpty { state.byteCount += bytes.count }
            return 0
        }
    }

    private func failure(_ code: Int32) -> CommandFailure {
        CommandFailure(.inputOutput, "\(path): writing failed: \(String(cString: strerror(code)))")
    }
}
