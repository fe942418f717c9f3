import ArgumentParser
import Nearby
import SetTopBox
import Signal

/// A run from an app's publication, by scan alone, to its arrival at a box that only broadcasts, while a
/// programme plays.
struct FoundRun: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "found", abstract: "How soon what an app publishes arrives at the box.")

    @Option(help: "So many rooms, each of a seed of its own.")
    var runs = 100

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    static let patienceSeconds = 20.0

    /// Returns the seconds until the message arrived; `nil` if it did not, or if something else did too.
    static func time(seed: UInt64) throws -> Double? {
        let server = BoxRegistry.Server(url: "http://127.0.0.1:8480", apiKey: "simulated")
        let announcement = try Message("living room", type: "screen")
        var room = try BoxRoom(
            BoxConfiguration(registry: .server(server), announcement: announcement), phoneCount: 1, seed: seed
        )
        var random = SplitMix64(seed: seed)
        // The box has been there for a while, and the app begins anywhere in a frame.
        room.run(seconds: 5 + (random.nextUnit() * 27).rounded() * 0.05)
        let start = room.seconds
        let message = try Message("louder", type: "remote")
        _ = try room.publish(message, byPhone: 0)
        while room.arrivals.isEmpty, room.seconds < start + patienceSeconds { room.run(seconds: 0.05) }
        guard room.arrivals.count == 1, room.arrivals[0].message.message == message else { return nil }
        return room.arrivals[0].seconds - start
    }

    func run() throws {
        let times = try (0..<runs).compactMap { try FoundRun.time(seed: seed + UInt64($0)) }.sorted()
        guard let longest = times.last else { throw ExitCode(1) }
        func text(_ seconds: Double) -> String { String((seconds * 100).rounded() / 100) }
        print("| runs | arrived | median | 90 % | longest |\n|---|---|---|---|---|")
        print(
            "| \(runs) | \(times.count) | \(text(times[times.count / 2])) s | \(text(times[times.count * 9 / 10])) s | \(text(longest)) s |"
        )
        if times.count < runs { throw ExitCode(1) }
    }
}
