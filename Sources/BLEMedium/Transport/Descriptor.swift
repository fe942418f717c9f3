import Glibc

/// A file descriptor that can be polled, read and written without blocking; it is closed when it is released.
final class Descriptor: Sendable {
    let raw: Int32

    init(_ raw: Int32) { self.raw = raw }

    deinit { if raw >= 0 { close(raw) } }

    /// Reads the bytes that have arrived, up to the buffer's size; returns `nil` if there are none yet.
    ///
    /// Throws: ``BLEError``; `.failing` at the end of the connection.
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

    /// Writes all bytes. Throws: ``BLEError``, also if nothing can be written for a second.
    func write(_ bytes: [UInt8]) throws(BLEError) {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                // Without MSG_NOSIGNAL the end of a connection would raise a signal.
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
