import Foundation
import Glibc

/// A service manager's socket, and everything that it has received.
final class NotifyListener {
    private let handle: Int32
    private var lines: [String] = []

    init(_ path: String) { handle = UnixSocket.make(path, Int32(SOCK_DGRAM.rawValue), isListening: true) }
    deinit { close(handle) }

    var said: Set<String> {
        take()
        return Set(lines)
    }

    func count(of line: String) -> Int {
        take()
        return lines.count { $0 == line }
    }

    private func take() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = recv(handle, &bytes, bytes.count, Int32(MSG_DONTWAIT)), count > 0 {
            lines += String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}

/// A program at the socket of a box or of an engine.
final class SocketReader {
    private let handle: Int32

    init(_ path: String) { handle = UnixSocket.make(path, Int32(SOCK_STREAM.rawValue), isListening: false) }
    deinit { close(handle) }

    func line() -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(handle, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the first line that holds `words`; empty if the connection ends before, or nothing comes for
    /// the time that ``limit(seconds:)`` has set.
    func line(with words: String) -> String {
        while true {
            let line = line()
            if line.isEmpty || line.contains(words) { return line }
        }
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.send(handle, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func limit(seconds: Int) {
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    }
}

private enum UnixSocket {
    static func make(_ path: String, _ type: Int32, isListening: Bool) -> Int32 {
        let handle = socket(AF_UNIX, type, 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let length = socklen_t(MemoryLayout<sockaddr_un>.size)
                return isListening ? bind(handle, $0, length) : connect(handle, $0, length)
            }
        }
        precondition(code == 0, "\(path): \(String(cString: strerror(errno)))")
        return handle
    }
}
