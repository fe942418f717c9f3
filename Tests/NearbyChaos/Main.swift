import ArgumentParser
import Foundation

/// A server that is killed again and again, and what is left of what it had acknowledged: see `Tools/chaos`.
@main
struct ChaosCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nearby-chaos",
        abstract: "Kill a Nearby server again and again under load, and count what is lost.")

    @Argument(help: "The program 'nearby'.") var program: String
    @Option(help: "Times.") var kills = 50
    @Option var port = 8490
    @Option(help: "Where the server keeps its data: a folder, or postgres://….") var store: String
    @Option var seed: UInt64 = 1

    func run() async throws {
        var plan = Chaos.Plan()
        (plan.kills, plan.seed) = (kills, seed)
        let place = store.hasPrefix("postgres") ? ["--store", store] : ["--data", store]
        let server = ServerProcess(program: program, store: place, port: port)
        let outcome = try await Chaos(plan, server).run()
        print("kills \(outcome.kills)")
        print("acknowledged publications lost \(outcome.lostPublications) of \(outcome.checkedPublications)")
        print(
            "events \(outcome.faults.events), duplicates \(outcome.faults.duplicates), strays \(outcome.faults.strays)"
        )
        print("slowest recovery \(outcome.slowestRecovery) s")
        print(
            "at the end \(outcome.incomplete) subscribers lack something, after \(outcome.settledSeconds) s")
        let isRight =
            outcome.lostPublications == 0 && outcome.faults.duplicates == 0 && outcome.faults.strays == 0
            && outcome.incomplete == 0 && outcome.slowestRecovery <= 2 && outcome.faults.events > 0
        if !isRight { throw ExitCode.failure }
    }
}

struct CommandLineFailure: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}

enum StandardError {
    static func write(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
