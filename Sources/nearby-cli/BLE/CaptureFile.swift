import BLEMedium
import CommandOutput
import Glibc
import Synchronization

/// A file that records HCI packets. Each packet is written at once, so that the records survive if the
/// program is killed.
final class CaptureFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let failed: @Sendable (CommandFailure) -> Void
    private struct State {
        var hasFailed = false
        /// The size in bytes of the header and all complete records.
        var byteCount = 0
    }

    /// The state of the file. The lock admits one record at a time.
    private let state = Mutex(State())

    /// - Parameter failed: called once, from any thread, when the file can no longer be written.
    ///
    /// Throws: 73 if the file cannot be created; 74 if it cannot be written; 77 if permission is missing.
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

    /// Writes all bytes or none: after a failure the file ends with a complete record. Returns the error
    /// number of the first failure; 0 otherwise.
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
                    // A pipe or a device cannot be truncated, so the result is ignored.
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
