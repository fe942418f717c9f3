import Glibc

/// Something open that can be polled, read and written without waiting; closed when let go.
final class Descriptor: Sendable {
    let raw: Int32

    init(_ raw: Int32) { self.raw = raw }

    deinit { if raw >= 0 { close(raw) } }

    /// The bytes that there are, up to the buffer's size; nil when there are none yet.
    ///
    /// Throws: ``BLEError``; `.failing` at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(BLEError) -> Int? {
        while true {
            let count = Glibc.read(raw, buffer.baseAddress, buffer.count)
            if count > 0 { return count }
            if count == 0 { throw BLEError(.failing, "the radio's connection was closed from its other end") }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case let code: throw BLEError.system(code, "the radio cannot be read")
            }
        }
    }

    /// All of it. Throws: ``BLEError``; when it does not move for a second.
    func write(_ bytes: [UInt8]) throws(BLEError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                // Without it the end of a connection would be a signal.
                let sent = send(raw, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
                return sent < 0 && errno == ENOTSOCK
                    ? Glibc.write(raw, $0.baseAddress! + done, bytes.count - done) : sent
            }
            if count > 0 {
                done += count
            } else if count < 0 && errno == EAGAIN {
                var wait = pollfd(fd: raw, events: Int16(POLLOUT), revents: 0)
                guard poll(&wait, 1, 1000) != 0 else {
                    throw BLEError(
                        .failing, "the radio takes no commands: nothing could be sent for a second")
                }
            } else if count == 0 || errno != EINTR {
                throw BLEError.system(count == 0 ? EIO : errno, "the radio cannot be written")
            }
        }
    }
}
