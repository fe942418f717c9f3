import Foundation
import Logging
import Nearby
import SetTopBox
import TestSupport
import Testing

@testable import SetTopBoxService

/// Tests of programs that are started, and of sockets that are read.
@Suite(.timeLimit(.minutes(5))) struct DeliveryTests {
    private let folder = TemporaryDirectory()
    private let log = ServiceLog(level: .critical, hasPriorities: false)

    private func script(_ text: String) -> String {
        let path = folder.write(
            Array("#!/bin/sh\n\(text)\n".utf8), to: "script-\(UInt32.random(in: 0 ... .max))")
        chmod(path, 0o700)
        return path
    }

    private func queue(
        _ script: String, limit: Duration = .seconds(60), atOnce: Int = 1, room: Int = 100
    ) -> ProgramQueue {
        ProgramQueue(
            .init(command: [script], timeLimit: limit, atOnce: atOnce, limit: room), log: log)
    }

    private func wait(_ isDone: () async -> Bool) async throws -> Bool {
        for _ in 0..<1500 {
            if await isDone() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    @Test func jsonOfAMessage() throws {
        let id = PublicationID(bits: 1)
        let text = BoxMessage(.arrived, id: id, message: try Message("a \"b\"\n", type: "t"))
        #expect(
            text.json
                == #"{"event":"arrived","id":"AAAAAAAAAAE","namespace":"","type":"t","text":"a \"b\"\u000a","content":"YSAiYiIK"}"#
        )
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: 0xF8 + $0 * 37) }
            let json = BoxMessage(.changed, id: id, message: try Message(bytes)).json
            let object = try #require(
                try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
            #expect(Data(base64Encoded: object["content"] as? String ?? "?") == Data(bytes))
            #expect((object["text"] is NSNull) == (String(validating: bytes, as: UTF8.self) == nil))
        }
    }

    /// The program handles the lines in order, each once and whole.
    @Test func oneAtATimeInOrder() async throws {
        let queue = queue(script("cat >> '\(folder.file("out"))'"))
        let lines = (0..<20).map { "\($0) \(String(repeating: "x", count: $0 == 7 ? 200_000 : 5))" }
        for line in lines { await queue.handle(line) }
        #expect(try await wait { await queue.counts.succeeded == 20 })
        let text = String(decoding: folder.read("out") ?? [], as: UTF8.self)
        #expect(text.split(separator: "\n").map(String.init) == lines)
    }

    /// Each run waits until three are there.
    @Test func severalAtATime() async throws {
        let here = ["a", "b", "c"].map { "[ -e '\(folder.path)/here-\($0)' ]" }.joined(separator: " && ")
        let queue = queue(
            script("read n; : > '\(folder.path)/here-'$n\nuntil \(here); do sleep 0.02; done"), atOnce: 3)
        for line in ["a", "b", "c"] { await queue.handle(line) }
        #expect(try await wait { await queue.counts.succeeded == 3 })
    }

    /// A program reads nothing, fails, does not exist, is killed, or hangs with a child of its own.
    @Test func howProgramsEnd() async {
        let long = Duration.seconds(60)
        let input = String(repeating: "x", count: 1 << 20)
        #expect(await ProgramRun.run(["/bin/true"], input: input, limit: long) == .exited(0))
        #expect(await ProgramRun.run(["/bin/false"], input: "", limit: long) == .exited(1))
        #expect(
            await ProgramRun.run(["/nope"], input: "", limit: long)
                == .notStarted("No such file or directory"))
        #expect(
            await ProgramRun.run([script("kill -9 $$")], input: "", limit: long) == .killed(signal: 9))
        let limit = Duration.milliseconds(200)
        #expect(
            await ProgramRun.run([script("sleep 600 & wait")], input: "", limit: limit)
                == .tookTooLong(limit))
        // The program's signals have their defaults.
        #expect(
            await ProgramRun.run([script("kill -HUP $$; exit 3")], input: "", limit: long)
                == .killed(signal: SIGHUP))
    }

    @Test func whoIsTooManyIsDropped() async throws {
        let queue = queue(
            script("read n; until [ -e '\(folder.file("go"))' ]; do sleep 0.02; done"), room: 2)
        for line in ["1", "2", "3", "4", "5"] { await queue.handle(line) }
        #expect(await queue.counts.dropped == 2)
        folder.write([], to: "go")
        #expect(try await wait { await queue.counts.succeeded == 3 })
    }

    /// At its end the queue waits for running programs and starts no others.
    @Test func theEnd() async {
        let queue = queue(script("sleep 0.2; cat >> '\(folder.file("out"))'"))
        for line in ["1", "2"] { await queue.handle(line) }
        await queue.end()
        await queue.handle("3")
        #expect(await queue.counts == .init(succeeded: 1, failed: 0, dropped: 1))
        #expect(folder.read("out") == Array("1\n".utf8))
    }

    private func connect(_ path: String) -> Int32 {
        let handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return code == 0 ? handle : -1
    }

    private func readLine(_ handle: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(handle, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func everyReaderReadsEveryLine() async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 16, log: log)
        var state = stat()
        #expect(stat(path, &state) == 0 && state.st_mode & 0o777 == 0o660)
        let (a, b) = (connect(path), connect(path))
        #expect(try await wait { socket.readerCount == 2 })
        for n in 0..<100 { socket.send("line \(n)") }
        for n in 0..<100 {
            #expect(readLine(a) == "line \(n)")
            #expect(readLine(b) == "line \(n)")
        }
        close(a)
        #expect(try await wait { socket.readerCount == 1 })
        #expect(throws: MessageSocketError.self) { try MessageSocket(path, bufferByteCount: 1, log: log) }
        await socket.close()
        #expect(readLine(b) == "")
        close(b)
    }

    /// A line that is sent while the socket's thread handles earlier lines does not wait for the next line.
    @Test func noLineWaitsForTheNext() async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 16, log: log)
        let reader = connect(path)
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            reader, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        #expect(try await wait { socket.readerCount == 1 })
        for n in 0..<20_000 {
            socket.send("a \(n)")
            socket.send("b \(n)")
            try #require(readLine(reader) == "a \(n)")
            try #require(readLine(reader) == "b \(n)")
        }
        close(reader)
        await socket.close()
    }

    /// A reader that does not read is disconnected, and the other one goes on.
    @Test func aSlowReaderIsLetGo() async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 16, log: log)
        let slow = connect(path)
        #expect(try await wait { socket.readerCount == 1 })
        let line = String(repeating: "x", count: 9999)
        for _ in 0..<500 where socket.droppedCount == 0 {
            socket.send(line)
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(try await wait { socket.droppedCount == 1 && socket.readerCount == 0 })
        let next = connect(path)
        #expect(try await wait { socket.readerCount == 1 })
        socket.send("well")
        #expect(readLine(next) == "well")
        for handle in [slow, next] { close(handle) }
        await socket.close()
    }

    /// If only the buffer's size changes, a reader stays connected, and the new size counts at once. A change
    /// to a socket that cannot be opened leaves the old one.
    @Test func aChangedBufferKeepsReaders() async throws {
        var settings = ServiceConfiguration.Deliver()
        (settings.socket, settings.socketBufferKiB) = (folder.file("box.sock"), 65_536)
        let deliveries = try Deliveries(settings, log: log)
        let reader = connect(settings.socket)
        #expect(try await wait { await deliveries.counts.readers == 1 })
        // More than the system keeps for a reader.
        let content = String(repeating: "x", count: 100_000)
        let message = BoxMessage(.arrived, id: PublicationID(bits: 1), message: try Message(content))
        for _ in 0..<10 { await deliveries.deliver(message) }

        var broken = settings
        (broken.socket, broken.socketBufferKiB) = ("/nope/x", 1)
        await #expect(throws: MessageSocketError.self) { _ = try await deliveries.prepare(broken) }
        let counts = await deliveries.counts
        #expect(counts.readers == 1 && counts.dropped == 0)

        settings.socketBufferKiB = 1
        await deliveries.commit(try await deliveries.prepare(settings))
        await deliveries.deliver(message)
        #expect(try await wait { await deliveries.counts.dropped == 1 })
        close(reader)
        await deliveries.end()
    }

    /// A socket that was left behind is replaced; a file that is not a socket stays.
    @Test func whatIsThereAlready() async throws {
        let path = folder.file("left.sock")
        let handle = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(handle, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(code == 0)
        close(handle)
        let socket = try MessageSocket(path, bufferByteCount: 1, log: log)
        #expect(connect(path) >= 0)
        await socket.close()
        let file = folder.write([1], to: "file")
        #expect(throws: MessageSocketError.self) { try MessageSocket(file, bufferByteCount: 1, log: log) }
        #expect(throws: MessageSocketError.self) {
            try MessageSocket("/nope/x", bufferByteCount: 1, log: log)
        }
        #expect(folder.read("file") == [1])
    }

    /// The metrics are well-formed, each occurs once, and each contains its count.
    @Test func metrics() throws {
        var counts = BoxCounts()
        (counts.framesSent, counts.messages) = (12, 3)
        let metrics = BoxMetrics(
            status: BoxStatus(), counts: counts, programs: .init(succeeded: 2, failed: 1), readers: 1,
            droppedReaders: 0, players: 4, reloads: (1, 2))
        let lines = metrics.text.split(separator: "\n")
        #expect(metrics.text.hasSuffix("\n"))
        #expect(lines.contains("nearby_stb_frames_sent_total 12"))
        #expect(lines.contains("nearby_stb_messages_total 3"))
        #expect(lines.contains("nearby_stb_players 4"))
        #expect(lines.contains(#"nearby_stb_reloads_total{end="failed"} 2"#))
        let names = lines.filter { $0.hasPrefix("# TYPE") }.map { $0.split(separator: " ")[2] }
        #expect(Set(names).count == names.count)
        for line in lines where !line.hasPrefix("#") {
            let name = line.prefix { $0 != "{" && $0 != " " }
            let value = line.split(separator: " ").last.flatMap { Int($0) }
            #expect(names.contains(name) && value != nil, "\(line)")
        }
    }
}
