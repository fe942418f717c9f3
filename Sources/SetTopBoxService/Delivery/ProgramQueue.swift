import Logging

/// A queue of messages that wait for a program, and of its runs: a limited number at a time, in order.
package actor ProgramQueue {
    package struct Settings: Sendable, Hashable {
        package var command: [String]
        package var timeLimit: Duration
        package var atOnce: Int
        package var limit: Int

        package init(command: [String], timeLimit: Duration, atOnce: Int, limit: Int) {
            (self.command, self.timeLimit, self.atOnce, self.limit) = (command, timeLimit, atOnce, limit)
        }
    }

    package struct Counts: Sendable, Hashable {
        package var succeeded = 0
        package var failed = 0
        package var dropped = 0
    }

    private var settings: Settings
    private let log: ServiceLog
    private var waiting: [String] = []
    private var running: [Int: Task<Void, Never>] = [:]
    private var lastNumber = 0
    private var isOver = false
    private var incidents = ProgramIncidents()
    package private(set) var counts = Counts()

    package init(_ settings: Settings, log: ServiceLog) { (self.settings, self.log) = (settings, log) }

    /// Changes the settings. Waiting messages use the new ones; running programs go on.
    package func change(to settings: Settings) {
        self.settings = settings
        startNext()
    }

    package func handle(_ line: String) {
        guard !settings.command.isEmpty, !isOver else { return }
        guard waiting.count < settings.limit else {
            counts.dropped += 1
            if let line = incidents.drop(now: .now) { log.write(.error, line) }
            return
        }
        waiting.append(line)
        startNext()
    }

    /// Ends the queue and drops the waiting messages. It returns when all running programs have ended, at
    /// most after their time limit.
    package func end() async {
        isOver = true
        if !waiting.isEmpty {
            log.write(.error, "\(waiting.count) messages are dropped: the box is stopping")
        }
        counts.dropped += waiting.count
        waiting = []
        for task in running.values { await task.value }
        if let line = incidents.takeRest(now: .now) { log.write(.error, line) }
    }

    private func startNext() {
        while running.count < settings.atOnce, !waiting.isEmpty, !settings.command.isEmpty {
            let line = waiting.removeFirst()
            lastNumber += 1
            let (number, settings) = (lastNumber, settings)
            running[number] = Task { [weak self] in
                let end = await ProgramRun.run(
                    settings.command, input: line + "\n", limit: settings.timeLimit)
                await self?.ended(number, end)
            }
        }
    }

    private func ended(_ number: Int, _ end: ProgramRun.End) {
        running[number] = nil
        if end == .exited(0) { counts.succeeded += 1 } else { counts.failed += 1 }
        if end == .exited(0) {
            log.write(.debug, "deliver.on-message: \(end)")
        } else if let line = incidents.fail("\(end)", now: .now) {
            log.write(.warning, line)
        }
        startNext()
    }
}
