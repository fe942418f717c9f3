import Foundation
import Glibc

/// A TCP connection on which a test sends what no client library would.
final class RawConnection: Sendable {
    /// An error: the other end sent nothing for so long, or did not take the sent bytes.
    struct Timeout: Error {
        /// The text that came until then.
        var text: String
    }

    private let socket: Int32
    private static let patienceMillis: Int32 = 20_000

    /// - Parameters:
    ///   - url: `http://127.0.0.1:port`.
    ///   - address: this end's address, on loopback.
    init(_ url: String, from address: String = "127.0.0.1") throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = RawConnection.address(address, port: 0)
        var other = RawConnection.address("127.0.0.1", port: UInt16(url.split(separator: ":").last!)!)
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let results = [
            withUnsafePointer(to: &own) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) }
            },
            withUnsafePointer(to: &other) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
            },
        ]
        guard results == [0, 0] else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(socket) }

    private static func address(_ text: String, port: UInt16) -> sockaddr_in {
        sockaddr_in(
            sin_family: sa_family_t(AF_INET), sin_port: port.bigEndian,
            sin_addr: in_addr(s_addr: inet_addr(text)), sin_zero: (0, 0, 0, 0, 0, 0, 0, 0))
    }

    /// Sends a text. Returns true if the other end takes it.
    @discardableResult
    func send(_ text: String) async -> Bool {
        // This blocks as long as the other end takes nothing, so that it must not use a thread that the
        // server in this process needs.
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in continuation.resume(returning: sendNow(text)) }
        }
    }

    private func sendNow(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            bytes = bytes.dropFirst(count)
        }
        return true
    }

    /// Sends a request, with the headers that every request has.
    @discardableResult
    func send(_ line: String, bearer: String? = nil, _ headers: [String] = [], body: String = "") async
        -> Bool
    {
        let credentials = bearer.map { ["Authorization: Bearer \($0)"] } ?? []
        let head = ["\(line) HTTP/1.1", "Host: localhost"] + credentials + headers
        return await send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }

    /// Ends the sending side; answers may still come.
    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Returns the text up to `end`, or, if it is `nil`, until the other end closes.
    ///
    /// Throws ``Timeout``.
    func read(until end: String? = nil) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { [self] in
                continuation.resume(with: Result { try readNow(until: end) })
            }
        }
    }

    private func readNow(until end: String?) throws -> String {
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while true {
            if let end, String(decoding: bytes, as: UTF8.self).contains(end) { break }
            var wait = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, RawConnection.patienceMillis) == 1 else {
                throw Timeout(text: String(decoding: bytes, as: UTF8.self))
            }
            let count = recv(socket, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
