import ArgumentParser
import Foundation
import NearbyServerSupport

/// A test of a server that is killed again and again, and of the acknowledged data that are left: see
/// `Tools/chaos`.
@main
struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-chaos",
        abstract: "Kill a Nearby server again and again under load, and count what is lost.")

    @Argument(help: "The program 'nearby'.") var program: String
    @Option(help: "Times.") var kills = 50
    @Option(help: "Cuts the way to the server so many times instead.") var cuts = 0
    @Option(help: "Of one of the cuts, seconds.") var longestCut = 130.0
    @Option var port = 8490
    @Option(help: "Where the server keeps its data: a folder, or postgres://….") var store: String
    @Option var seed: UInt64 = 1

    func run() async throws {
        var plan = Chaos.Plan()
        (plan.kills, plan.cuts, plan.longestCutSeconds, plan.seed) = (kills, cuts, longestCut, seed)
        let place = store.hasPrefix("postgres") ? ["--store", store] : ["--data", store]
        let server = ServerProcess(program: program, store: place, port: port)
        let outcome = cuts == 0 ? try await Chaos(plan, server).run() : try await cut(plan, server)
        print("kills \(outcome.kills), cuts \(outcome.cuts)")
        print("acknowledged publications lost \(outcome.lostPublications) of \(outcome.checkedPublications)")
        print(
            "events \(outcome.faults.events), duplicates \(outcome.faults.duplicates), strays \(outcome.faults.strays)"
        )
        print("slowest recovery \(outcome.slowestRecovery) s")
        print(
            "at the end \(outcome.incomplete) subscribers lack something, after \(outcome.settledSeconds) s")
        let isRight =
            outcome.lostPublications == 0 && outcome.faults.duplicates == 0 && outcome.faults.strays == 0
            && outcome.incomplete == 0 && outcome.slowestRecovery <= recoveryBoundSeconds
            && outcome.faults.events > 0
        if !isRight { throw ExitCode.failure }
    }

    /// The longest recovery. After a cut it is an engine's longest pause between two tries, an answer that
    /// does not come, and some time for the machine.
    private var recoveryBoundSeconds: Double { cuts == 0 ? 2 : 30 + 10 + 5 }

    private func cut(_ plan: Chaos.Plan, _ server: ServerProcess) async throws -> Chaos.Outcome {
        let proxy = try await CutProxy(to: "127.0.0.1", port: port)
        let chaos = Chaos(plan, server, address: "http://127.0.0.1:\(proxy.port)")
        try server.start()
        _ = try await chaos.recover()
        return try await chaos.run(cutting: proxy)
    }
}

struct CommandLineFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

enum StandardError {
    static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
