import Foundation
import Logging
import TestSupport
import Testing

@testable import SetTopBoxService

/// Tests of the service manager's socket, with a socket like a manager's.
@Suite struct SystemdTests {
    private let folder = TemporaryDirectory()

    /// A socket as systemd makes it, which receives the service's lines.
    private final class Manager {
        let handle: Int32

        init(_ name: String) {
            handle = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            var bytes = Array(name.utf8)
            let isAbstract = bytes[0] == UInt8(ascii: "@")
            if isAbstract { bytes[0] = 0 }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let length = 2 + bytes.count + (isAbstract ? 0 : 1)
            let code = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(handle, $0, socklen_t(length)) }
            }
            precondition(code == 0)
        }

        deinit { close(handle) }

        func next() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = recv(handle, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            return count < 0 ? "nothing" : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    private func monotonicMicros() -> Int {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int(now.tv_sec) * 1_000_000 + now.tv_nsec / 1000
    }

    @Test func aPathAndAnAbstractName() throws {
        for name in [folder.file("notify"), "@nearby-stb-test-\(getpid())"] {
            let manager = Manager(name)
            let socket = try #require(NotifySocket(name))
            #expect(socket.say("READY=1", "STATUS=broadcasting"))
            #expect(manager.next() == "READY=1\nSTATUS=broadcasting")
            let before = monotonicMicros()
            socket.sayReloading()
            let said = manager.next().split(separator: "\n")
            let after = monotonicMicros()
            try #require(said.count == 2 && said[0] == "RELOADING=1")
            let micros = try #require(Int(said[1].dropFirst("MONOTONIC_USEC=".count)))
            #expect((before...after).contains(micros))
            #expect(manager.next() == "nothing")
        }
    }

    @Test func nobodyListens() {
        #expect(NotifySocket(nil) == nil)
        for name in ["", "/", "@", "relative", "vsock:2:1234", "/\(String(repeating: "x", count: 107))"] {
            #expect(NotifySocket(name) == nil, "\(name)")
        }
        #expect(NotifySocket(folder.file("nobody"))?.say("READY=1") == false)
        #expect(NotifySocket("@nearby-nobody-\(getpid())")?.say("READY=1") == false)
    }

    @Test func watchdog() {
        #expect(WatchdogRequest(microseconds: "60000000", process: nil)?.interval == .seconds(60))
        #expect(WatchdogRequest(microseconds: "1000", process: "7", own: 7)?.interval == .milliseconds(1))
        let none: [(String?, String?)] = [
            (nil, nil), ("0", nil), ("x", nil), ("-1", nil), ("1000", "8"), ("1000", "x"),
        ]
        for (microseconds, process) in none {
            #expect(WatchdogRequest(microseconds: microseconds, process: process, own: 7) == nil)
        }
    }

    /// Lines have priorities only if standard error is the journal's.
    @Test func whoseStandardErrorItIs() {
        var state = stat()
        #expect(fstat(2, &state) == 0)
        #expect(ServiceLog.isJournal("\(state.st_dev):\(state.st_ino)"))
        for stream in [nil, "", "x", "\(state.st_dev):", "\(state.st_ino):\(state.st_dev)x"] as [String?] {
            #expect(!ServiceLog.isJournal(stream))
        }
    }
}
