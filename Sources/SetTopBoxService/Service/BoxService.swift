import AudioIO
import CommandOutput
import Logging
import Nearby
import SetTopBox
import UnixSignals

/// A set-top box as a service, from its configuration file to its end. It follows the service manager's rules
/// if there is one.
actor BoxService {
    private let path: String
    private let log: ServiceLog
    private let manager: NotifySocket?
    private let box: SetTopBox
    private let deliveries: Deliveries
    private let players: PlayerSocket
    private var configuration: ServiceConfiguration
    private var reloads = (succeeded: 0, failed: 0)
    private var wasKnown = false
    private var lastWords = ""

    /// Throws an error with one line and the exit code that goes with it.
    init(_ path: String) throws(CommandFailure) {
        self.path = path
        configuration = try BoxService.read(path)
        log = ServiceLog(level: Logger.Level(rawValue: configuration.logLevel) ?? .info)
        manager = NotifySocket(ServiceConfiguration.environment("NOTIFY_SOCKET"))
        let boxConfiguration = try BoxService.boxConfiguration(configuration, path)
        do throws(MessageSocketError) {
            players = try PlayerSocket(configuration.tokenSocket, log: log)
        } catch {
            throw CommandFailure(.cannotCreate, "token.socket: \(error)")
        }
        do throws(BoxError) {
            box = try SetTopBox(boxConfiguration, parts: .telling(players), log: log.forLibraries)
        } catch {
            throw CommandFailure(.badData, "\(path): \(error)")
        }
        do throws(MessageSocketError) { deliveries = try Deliveries(configuration.deliver, log: log) } catch {
            throw CommandFailure(.cannotCreate, "deliver.socket: \(error)")
        }
    }

    // MARK: From beginning to end

    /// Runs until a signal ends it, or until the server refuses a box that it never knew.
    ///
    /// Throws an error with one line and the exit code that goes with it.
    func run() async throws {
        StartCode.giveBackLargeBlocks()
        do throws(BoxError) { try await box.start() } catch {
            throw CommandFailure(.unavailable, "\(error)")
        }
        // Signals are trapped before the service reports that it runs. SIGHUP means that the file is to be
        // read again, under nohup too.
        let signals = await UnixSignalsSequence(trapping: [.sighup] + UnixSignal.heeded(.sigterm, .sigint))
        log.write(.info, "started: \(path)")
        if let warning = configuration.warning(of: path) { log.write(.warning, warning) }
        manager?.say("READY=1", "STATUS=started")
        do {
            try await withThrowingTaskGroup { group in
                group.addTask { try await self.follow(signals) }
                group.addTask { try await self.takeMessages() }
                group.addTask { try await self.followStatus() }
                group.addTask { try await self.writeMetrics() }
                group.addTask { try await BoxService.letGoOfStart() }
                let watchdog = WatchdogRequest(
                    microseconds: ServiceConfiguration.environment("WATCHDOG_USEC"),
                    process: ServiceConfiguration.environment("WATCHDOG_PID"))
                if let watchdog { group.addTask { try await self.feed(watchdog) } }
                // Only a signal ends one of these tasks without an error.
                try await group.next()
                group.cancelAll()
            }
        } catch {
            await end()
            throw error
        }
        await end()
    }

    /// Releases code that only the start, or a problem that is over, needed.
    private static func letGoOfStart() async throws {
        for seconds in [5, 30] {
            try await Task.sleep(for: .seconds(seconds))
            StartCode.letGo()
        }
        while true {
            try await Task.sleep(for: .seconds(600))
            StartCode.letGo()
        }
    }

    private func end() async {
        manager?.say("STOPPING=1", "STATUS=ending")
        await box.end()
        await deliveries.end()
        await players.end()
        log.write(.info, "ended")
    }

    private func takeMessages() async throws {
        for await message in box.messages {
            log.write(
                .info,
                "message \(message.change.rawValue): type '\(message.message.type)', \(message.message.content.count) bytes"
            )
            await deliveries.deliver(message)
        }
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// Returns when a signal arrives that ends the service.
    private func follow(_ signals: UnixSignalsSequence) async throws {
        for await signal in signals {
            guard signal == .sighup else { return }
            await reload()
        }
    }

    // MARK: Reloading

    /// Reads the file again, and applies all of it or nothing.
    private func reload() async {
        manager?.sayReloading()
        do {
            let new = try BoxService.read(path)
            let changed = configuration.differences(to: new)
            let change = try await change(to: new)
            configuration = new
            log.level = Logger.Level(rawValue: new.logLevel) ?? .info
            reloads.succeeded += 1
            log.write(
                .info,
                "reloaded: \(BoxService.words(for: changed, change))")
        } catch {
            reloads.failed += 1
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            log.write(.error, "not reloaded, the old configuration stays in use: \(reason)")
        }
        manager?.say("READY=1")
    }

    /// Returns the changed settings in words. Even if the file says the same as before, a file that it names
    /// may have changed.
    private static func words(for changed: [String], _ change: SetTopBox.Change) -> String {
        if !changed.isEmpty { return changed.joined(separator: ", ") }
        return change == .nothing
            ? "nothing has changed"
            : "the same settings, but a key file or the time zone's file has changed"
    }

    private func change(to new: ServiceConfiguration) async throws -> SetTopBox.Change {
        let boxConfiguration = try BoxService.boxConfiguration(new, path)
        let delivery = try await deliveries.prepare(new.deliver)
        do {
            let tokens = try players.prepare(new.tokenSocket)
            let change: SetTopBox.Change
            do { change = try await box.apply(boxConfiguration) } catch {
                await players.abandon(tokens)
                throw error
            }
            await deliveries.commit(delivery)
            await players.commit(tokens)
            if change == .restarted {
                log.write(.notice, "the box was restarted; apps lose it and find it again")
            }
            return change
        } catch {
            await deliveries.abandon(delivery)
            throw error
        }
    }

    // MARK: Telling

    /// Reports the status. Throws an error with exit code 77 if the server refuses a box that it never knew.
    private func followStatus() async throws {
        var lastProblems: Set<String> = []
        var zoneUpdates = 0
        for await status in await box.statuses() {
            if status.isKnown { wasKnown = true }
            if case .refused(let why)? = status.registryError, !wasKnown {
                throw CommandFailure(.noPermission, why)
            }
            manager?.say("STATUS=\(status.summary)")
            let problems = Set(status.problems)
            for problem in problems.subtracting(lastProblems).sorted() { log.write(.warning, problem) }
            if problems.isEmpty, !lastProblems.isEmpty { log.write(.notice, "all problems are over") }
            lastProblems = problems
            if status.timeZoneUpdates > zoneUpdates {
                log.write(.notice, "quiet hours now use the system's updated time zone")
            }
            zoneUpdates = status.timeZoneUpdates
            guard status.isWell, status.summary != lastWords else { continue }
            lastWords = status.summary
            log.write(.info, status.summary)
        }
        // The box has ended.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }

    /// Sends signs of life to the service manager as long as the box is alive.
    private func feed(_ watchdog: WatchdogRequest) async throws {
        while true {
            if await isAlive() { manager?.say("WATCHDOG=1") }
            try await Task.sleep(for: watchdog.interval / 2)
        }
    }

    /// Returns true unless a box that should sound, and whose device works, has stopped sending frames.
    private func isAlive() async -> Bool {
        let status = await box.status
        guard status.isBroadcasting, let last = box.counts.lastFrame else { return true }
        return last.duration(to: box.now) < .seconds(60 + configuration.audio.pauseSeconds)
    }

    private func writeMetrics() async throws {
        var lastTrouble = ""
        while true {
            if !configuration.metrics.file.isEmpty {
                let trouble = await writeMetricsOnce(configuration.metrics.file)
                if trouble != lastTrouble, !trouble.isEmpty {
                    log.write(.warning, "metrics.file: \(trouble)")
                }
                lastTrouble = trouble
            }
            try await Task.sleep(for: .seconds(configuration.metrics.everySeconds))
        }
    }

    /// Writes the metrics once. Returns the error; an empty text if there is none.
    private func writeMetricsOnce(_ path: String) async -> String {
        let delivered = await deliveries.counts
        let metrics = BoxMetrics(
            status: await box.status, counts: box.counts, programs: delivered.programs,
            readers: delivered.readers, droppedReaders: delivered.dropped, players: players.playerCount,
            reloads: reloads)
        do throws(AudioIOError) {
            let file = try OutputFile(.file(path), inputs: configuration.files + [.file(self.path)])
            try file.write(Array(metrics.text.utf8))
            try file.commit()
            return ""
        } catch {
            return "\(error)"
        }
    }

    // MARK: The file

    /// Reads the configuration. Throws an error with exit code 65, 66 or 77, and with all problems of the
    /// file.
    static func read(_ path: String) throws(CommandFailure) -> ServiceConfiguration {
        do throws(ConfigurationFileError) {
            return try ConfigurationFile.read(path)
        } catch {
            let status: ExitStatus =
                switch error.cause {
                case .notThere: .noInput
                case .notAllowed: .noPermission
                case .content: .badData
                }
            throw CommandFailure(status, lines: error.lines)
        }
    }

    /// Returns the box's configuration. Throws an error about the first wrong value, preceded by the file's
    /// name.
    static func boxConfiguration(
        _ configuration: ServiceConfiguration, _ path: String
    ) throws(CommandFailure) -> BoxConfiguration {
        do throws(CommandFailure) { return try configuration.box() } catch {
            throw CommandFailure(error.status, "\(path): \(error.message)")
        }
    }
}
