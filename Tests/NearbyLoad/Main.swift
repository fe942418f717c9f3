import ArgumentParser
import NIOCore

/// A measurement of a running server's performance: see `Tools/bench/server`.
@main
struct NearbyLoad: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-load", abstract: "Devices that load a Nearby server.",
        subcommands: [LoadCommand.self, StormCommand.self], defaultSubcommand: LoadCommand.self)
}

struct LoadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "steady", abstract: "Devices that report steadily, and how long it takes.")

    @Option var host = "127.0.0.1"
    @Option(help: "Of one server, or of several on one database.") var port: [Int] = [8480]
    @Option(help: "API key.") var key: String
    @Option var devices = 5000
    @Option(help: "Reports a second, of all devices together.") var rate = 3000.0
    @Option var seconds = 30.0
    @Option(help: "Of devices of which one is told by push.") var pairs = 200

    func run() throws {
        var plan = Load.Plan()
        (plan.host, plan.ports, plan.key) = (host, port, key)
        (plan.devices, plan.reportsPerSecond, plan.seconds, plan.pairs) = (devices, rate, seconds, pairs)
        let result = try Load.run(plan)
        let rate = Double(result.reports) / result.seconds
        let failures = result.failures.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
        print("devices \(devices), set up in \(fixed(result.setUpSeconds)) s")
        print(
            "reports \(fixed(rate)) /s, \(milliseconds(result.latencies)), failed: \(failures.isEmpty ? "0" : failures)"
        )
        print("told by push \(result.deliveries.count), \(milliseconds(result.deliveries))")
    }

    private func milliseconds(_ seconds: [Double]) -> String {
        let sorted = seconds.sorted()
        guard !sorted.isEmpty else { return "none" }
        func at(_ share: Double) -> String {
            fixed(1000 * sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))])
        }
        return "p50 \(at(0.5)) ms, p99 \(at(0.99)) ms, worst \(fixed(1000 * sorted.last!)) ms"
    }

    private func fixed(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
