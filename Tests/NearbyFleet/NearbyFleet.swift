import ArgumentParser
import Foundation

/// A simulated hour of a fleet: see `Tools/bench/fleet`.
@main
struct NearbyFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-fleet",
        abstract: "An hour of many boxes and apps at a server's core, in virtual time.")

    @Option var boxes = 1_000_000
    @Option(help: "Apps that walk from box to box.") var apps = 100_000
    @Option var hours = 1.0
    @Option(help: "Minute at which the measurement begins.") var from = 0
    @Option(help: "Stop after this many events.") var events = Int.max
    @Flag(
        help: "Say 'ready' before the measurement and 'done' after the events, and wait for a line each time."
    )
    var waits = false

    struct Result: Encodable {
        var boxes: Int
        var apps: Int
        var hours: Double
        var setUpSeconds: Double
        var bytesPerDevice: Double
        var peakBytes: Int
        var events: [String: RunCost.Entry]
        var longestSeconds: Double
        var bytesDown: Int
        var found: Int
        var lost: Int
    }

    func run() throws {
        var plan = FleetWorld.Plan()
        (plan.boxes, plan.apps) = (boxes, apps)
        let before = NearbyFleet.bytes("RssAnon")
        var world = try FleetWorld(plan, hours: hours)
        let setUp = world.cost
        let bytes = NearbyFleet.bytes("RssAnon") - before
        while world.calendar.now < from * 60 * FleetWorld.ticksPerSecond { try world.step() }
        pause("ready")
        world.beginMeasuring()
        while !world.calendar.isOver, world.cost.count < events { try world.step() }
        pause("done")
        let result = Result(
            boxes: boxes, apps: apps,
            hours: Double(world.calendar.now) / Double(3600 * FleetWorld.ticksPerSecond),
            setUpSeconds: setUp.seconds, bytesPerDevice: Double(bytes) / Double(boxes + apps),
            peakBytes: NearbyFleet.bytes("VmHWM"),
            events: Dictionary(
                uniqueKeysWithValues: world.cost.entries.map { ($0.key.rawValue, $0.value) }),
            longestSeconds: world.cost.longestSeconds, bytesDown: world.bytesDown, found: world.found,
            lost: world.lost)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        print(String(decoding: try encoder.encode(result), as: UTF8.self))
    }

    private func pause(_ word: String) {
        guard waits else { return }
        FileHandle.standardError.write(Data("\(word)\n".utf8))
        _ = readLine()
    }

    /// Returns a value of this process in bytes, as the kernel counts it.
    private static func bytes(_ name: String) -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        return (line?.split(whereSeparator: \.isWhitespace)).flatMap { Int($0[1]) }.map { $0 * 1024 } ?? 0
    }
}
