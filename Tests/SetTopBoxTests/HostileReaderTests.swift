import Foundation
import Glibc
import TestSupport
import Testing

@testable import SetTopBoxService

/// Tests of readers of a box's message socket that try to shut the others out, or to keep the box busy.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileReaderTests {
    private let folder = TemporaryDirectory()
    private let log = ServiceLog(level: .critical, hasPriorities: false)

    private func wait(_ isDone: () -> Bool) async throws -> Bool {
        for _ in 0..<1500 {
            if isDone() { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// Returns the youngest thread of a socket.
    private func socketThread() throws -> Int {
        let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        let ours = tasks.filter {
            (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))
                == MessageSocket.threadName + "\n"
        }
        return try #require(ours.compactMap { Int($0) }.max())
    }

    /// Returns a thread's processor time in seconds. Reference: proc(5), `schedstat`.
    private func seconds(of thread: Int) throws -> Double {
        let text = try String(contentsOfFile: "/proc/self/task/\(thread)/schedstat", encoding: .utf8)
        return try #require(text.split(separator: " ").first.flatMap { Double($0) }) / 1e9
    }

    /// There are thirty-two hostile readers of one kind, and as many of all kinds. An honest reader of the
    /// same process that came before them, and one that comes after them, read every line. The thread does
    /// not spin, which would take all of a core. It takes 1 %, and somewhat more of a slow and busy core.
    @Test(arguments: SocketAttacker.Misuse.allCases.map { [$0] } + [SocketAttacker.Misuse.allCases])
    func honestReadersReadOn(misuses: [SocketAttacker.Misuse]) async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 20, log: log)
        let first = UnixClient.connect(path)
        let attacker = SocketAttacker(path)
        for n in 0..<32 { attacker.start(misuses[n % misuses.count]) }
        let isThere = try await wait { attacker.connectionCount.load(ordering: .relaxed) >= 32 }
        #expect(isThere)
        let second = UnixClient.connect(path)
        let thread = try socketThread()
        let (began, before) = (ContinuousClock.now, try seconds(of: thread))
        for n in 0..<20 {
            socket.send("line \(n)")
            for reader in [first, second] { #expect(UnixClient.line(reader) == "line \(n)") }
            // The attack goes on for a while between two messages. This is its duration and not a wait for an
            // event.
            try await Task.sleep(for: .milliseconds(150))
        }
        let share = try (seconds(of: thread) - before) / (began.duration(to: .now) / .seconds(1))
        #expect(share <= 0.05, "\(misuses)")
        attacker.end()
        for handle in [first, second] { close(handle) }
        await socket.close()
    }

    /// A reader that shuts down its sending side reads on until it closes.
    @Test func aHalfClosedReaderReadsOn() async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 16, log: log)
        let reader = UnixClient.connect(path)
        let other = UnixClient.connect(path)
        #expect(try await wait { socket.readerCount == 2 })
        shutdown(reader, Int32(SHUT_WR))
        for n in 0..<30 {
            socket.send("line \(n)")
            #expect(UnixClient.line(reader) == "line \(n)")
            #expect(UnixClient.line(other) == "line \(n)")
        }
        close(reader)
        #expect(try await wait { socket.readerCount == 1 })
        close(other)
        await socket.close()
    }

    /// A reader that writes now and then can always go on writing.
    @Test func aReaderMayWrite() async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 16, log: log)
        let reader = UnixClient.connect(path)
        let bytes = [UInt8](repeating: 1, count: 1000)
        // This is more than the kernel keeps for a socket that nobody reads.
        for _ in 0..<1000 { #expect(send(reader, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count) }
        socket.send("well")
        #expect(UnixClient.line(reader) == "well")
        close(reader)
        await socket.close()
    }

    /// Idle readers take all places. Each newcomer gets one, and a reader that has read keeps its own.
    @Test func idleReadersShutNobodyOut() async throws {
        let path = folder.file("box.sock")
        let socket = try MessageSocket(path, bufferByteCount: 1 << 16, log: log)
        let first = UnixClient.connect(path)
        let idle = (0..<200).map { _ in UnixClient.connect(path) }
        #expect(try await wait { socket.readerCount == MessageSocket.readerLimit })
        socket.send("a")
        #expect(UnixClient.line(first) == "a")
        let more = (0..<200).map { _ in UnixClient.connect(path) }
        let last = UnixClient.connect(path)
        for n in 0..<20 {
            socket.send("\(n)")
            #expect(UnixClient.line(first) == "\(n)")
            #expect(UnixClient.line(last) == "\(n)")
        }
        for handle in idle + more + [first, last] { close(handle) }
        await socket.close()
    }

    private func place(
        _ user: UInt32, _ process: Int32, isServed: Bool = true, unreadSince: ContinuousClock.Instant? = nil
    ) -> ReaderPlaces.Place {
        .init(
            owner: .init(user: user, process: process), unreadSince: unreadSince, isServed: isServed)
    }

    @Test func whoGivesAPlaceUp() {
        let now = ContinuousClock.now
        func leaver(_ places: [ReaderPlaces.Place], _ user: UInt32 = 9, _ process: Int32 = 9) -> Int {
            ReaderPlaces.leaver(of: places, for: .init(user: user, process: process))
        }
        // The user with the most places counts, and not the process with the most.
        #expect(leaver([place(1, 1), place(1, 2), place(1, 3), place(2, 4), place(2, 4)]) == 2)
        // Of that user's processes, the one with the most places counts, including the newcomer.
        #expect(leaver([place(1, 1), place(1, 2), place(1, 2), place(1, 3)]) == 2)
        #expect(leaver([place(1, 1), place(1, 2), place(1, 3)], 1, 2) == 1)
        // The reader that has not read for the longest time leaves.
        let slow = [place(1, 1), place(1, 1, unreadSince: now), place(1, 1, unreadSince: now - .seconds(1))]
        #expect(leaver(slow + [place(1, 1, isServed: false)]) == 2)
        // The newest reader that has not proved that it reads leaves.
        #expect(leaver([place(1, 1, isServed: false), place(1, 1, isServed: false), place(1, 1)]) == 1)
    }

    /// There is at most one line a minute, and every incident is in one.
    @Test func oneLineAMinute() {
        var incidents = SocketIncidents()
        let start = ContinuousClock.now
        var (lines, displaced) = ([String](), 0)
        for second in 0..<600 {
            for _ in 0..<100 { incidents.displaced += 1 }
            if second == 200 { incidents.slow += 1 }
            guard let line = incidents.takeLine(start + .seconds(second)) else { continue }
            lines.append(line)
            displaced += line.split(separator: " ").compactMap { Int($0) }[line.contains("slowly") ? 1 : 0]
        }
        #expect(lines.count == 10 && displaced + incidents.displaced == 60_000)
        #expect(lines.count { $0.contains("1 disconnected because they read too slowly") } == 1)
        #expect(incidents.takeLine(start + .seconds(659)) != nil)
        #expect(incidents.nextLine(start + .seconds(2000)) == nil)
    }
}
