import ArgumentParser
import Glibc

/// A measurement of the return of many devices: see `Tools/bench/storm`.
struct StormCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storm", abstract: "Devices that lose their streams in one moment and come back.")

    @Option var host = "127.0.0.1"
    @Option var port = 8480
    @Option(help: "API key.") var key: String
    @Option var devices = 10_000
    @Option(help: "Of devices of which one hears the other.") var pairs = 500
    @Flag(help: "All come back at once.") var herd = false
    @Flag(help: "Wait until the server breaks the streams.") var wait = false

    func run() throws {
        var plan = Storm.Plan()
        (plan.host, plan.port, plan.key) = (host, port, key)
        (plan.devices, plan.pairs, plan.isHerd, plan.waitsForServer) = (devices, pairs, herd, wait)
        let result = try Storm.run(plan) {
            // The text must not stay in a buffer, because somebody waits for it.
            let text = "open\n"
            _ = write(1, text, text.utf8.count)
        }
        let all = result.live + result.others
        let last = all.max() ?? 0
        print("set up in \(fixed(result.setUpSeconds)) s")
        print(
            "back \(all.count), the last after \(fixed(last)) s, \(fixed(Double(all.count) / max(last, 0.001))) a second"
        )
        print("live \(waits(result.live)); others \(waits(result.others))")
        let statuses = result.statuses.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
        print(
            "statuses \(statuses.joined(separator: ", ")); without answer \(result.failures); without Retry-After \(result.withoutTime)"
        )
    }

    private func waits(_ seconds: [Double]) -> String {
        let sorted = seconds.sorted()
        guard let last = sorted.last else { return "none" }
        return "half after \(fixed(sorted[sorted.count / 2])) s, worst \(fixed(last)) s"
    }

    private func fixed(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
