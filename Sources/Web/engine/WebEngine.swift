import Nearby
import NearbyWire

/// A page's engine: ``EngineState`` and the other parts of a device that are values. Records carry its input
/// and its output. The page has the clock, the media and the network connections.
///
///     record ─→ WebEvent ─→ Mailbox ─→ EngineState ─→ EngineAction ─→ record
///                                          ↓ ↑
///                                     OfflineRegistryDriver                             with an offline key
package struct WebEngine {
    /// The data that accompany a report to a server.
    struct Envelope {
        var mailbox: String?
        var takenNews: Int64 = 0
        var number: Int64 = 0
    }

    private var state: EngineState
    private var offline: OfflineRegistryDriver?
    private var mailbox = Mailbox()
    private var lateTimer = LateTimer()
    private var now = Instant.start
    private var lastNumber: UInt64 = 0
    private var reportCount: Int64 = 0
    /// The report in flight to a server.
    private var sent: Report?

    /// - Parameter record: the permission (1 byte), the seed (32 bytes), and the text of the offline key file
    ///   or none.
    package init(record: [UInt8]) throws(EngineFailure) {
        do throws(WebError) {
            var reader = RecordReader(record)
            let permission = try reader.code(Codes.permissions)
            let seed = try reader.bytes(upTo: SeededRandom.seedByteCount)
            let keyFile = try reader.optional { reader throws(WebError) in try reader.text() }
            try reader.end()
            guard var random = SeededRandom(seed: seed) else { throw .outOfRange }
            if let keyFile {
                offline = try OfflineRegistryDriver(keyFile: keyFile, random: random)
                // The engine's numbers must differ from those of the offline registry.
                for _ in 0..<1024 { _ = random.next() }
            }
            state = EngineState(permission: permission, takesFrames: keyFile != nil, random: random)
        } catch {
            throw EngineFailure(line: error.line)
        }
    }

    /// Takes one event. Returns the actions that are due, and the time at which the engine next has something
    /// to do.
    package mutating func take(_ record: [UInt8]) throws(EngineFailure) -> [UInt8] {
        do throws(WebError) {
            var reader = RecordReader(record)
            let actions = try perform(try reader.event())
            var writer = RecordWriter()
            writer.put(nextDeadline.map { Double($0.offset.microsecondsUp) } ?? -1)
            let envelope = self.envelope
            writer.put(list: actions) { $0.put($1, envelope) }
            return writer.bytes
        } catch {
            throw EngineFailure(line: error.line)
        }
    }

    /// The envelope of a report that is to be sent now.
    var envelope: Envelope { Envelope(mailbox: mailbox.name, takenNews: mailbox.taken, number: reportCount) }

    var nextDeadline: Instant? {
        [state.nextDeadline, offline?.nextDeadline].compactMap { $0 }.min()
    }

    // MARK: Events

    mutating func perform(_ event: WebEvent) throws(WebError) -> [EngineAction] {
        if case .execute(let operations) = event.kind { try checkNumbers(operations) }
        let wall = Duration.microseconds(event.wallMicroseconds)
        // Clocks of browsers sometimes go back a little.
        now = max(now, Instant(offset: .microseconds(event.nowMicroseconds)))
        let stall = lateTimer.step(at: now)
        defer { lateTimer.set(nextDeadline) }
        state.standStill(for: stall)
        offline?.standStill(for: stall, now: now)
        var actions: [EngineAction]
        do throws(NearbyError) {
            actions = try react(to: event.kind)
        } catch {
            throw .refused(error)
        }
        settle(&actions, wall)
        return actions
    }

    /// Checks that new operations have new numbers. A repeated number would mean another operation.
    private mutating func checkNumbers(_ operations: [Operation]) throws(WebError) {
        var last = lastNumber
        for operation in operations {
            switch operation {
            case .publish(let id, _), .subscribe(let id, _):
                guard id.number > last else { throw .numberUsed(id.number) }
                last = id.number
            case .republish, .unpublish, .unsubscribe: break
            }
        }
        lastNumber = last
    }

    private mutating func react(to event: WebEvent.Kind) throws(NearbyError) -> [EngineAction] {
        switch event {
        case .execute(let operations): try state.execute(operations, now: now)
        case .permission(let permission): state.setPermission(permission, now: now)
        case .background(let isInBackground): state.setBackground(isInBackground, now: now)
        case .happened(let event, let medium): state.happened(event, on: medium, now: now)
        case .answered(var answer, let verdicts, let patience, let name, let last):
            answered(
                &answer, verdicts, patience, Mailbox.Batch(mailbox: name, last: last, answer.deliveries))
        case .notified(let batch, let keepAlive, let grants): notified(batch, keepAlive, grants, by: .event)
        case .failed(let error): failed(error)
        case .advance: state.advance(to: now)
        case .end: state.end(now: now)
        }
    }

    // MARK: A server

    /// Takes a server's answer. As in `NearbyClient`, deliveries go through the mailbox, and the rest goes to
    /// the engine.
    private mutating func answered(
        _ answer: inout Answer, _ verdicts: [TokenVerdict], _ patience: [Duration], _ batch: Mailbox.Batch
    ) -> [EngineAction] {
        guard let report = sent else { return [] }
        sent = nil
        switch mailbox.take(batch, by: report.isComplete ? .completeAnswer : .answer) {
        case .malformed:
            return state.failed(
                .unreachable("no answer of a Nearby server: events without their numbers"), now: now)
        // The same would happen again: earlier deliveries are lost unless everything is reported again.
        case .outOfStep: return failed(.unknownDevice)
        case .fresh(let deliveries):
            (answer.deliveries, answer.verdicts) = ([], [:])
            for (one, verdict) in zip(report.observations, verdicts) { answer.verdicts[one.heard] = verdict }
            for (one, time) in zip(report.observations, patience) { answer.patience[one.heard] = time }
            return tell(deliveries) + state.answered(answer, now: now)
        }
    }

    private mutating func notified(
        _ batch: Mailbox.Batch, _ keepAlive: Duration?, _ grants: [Answer.Grant], by way: Mailbox.Way
    ) -> [EngineAction] {
        var answer = Answer()
        (answer.keepAlive, answer.grants) = (keepAlive, grants)
        let actions = keepAlive == nil && grants.isEmpty ? [] : state.notified(answer, now: now)
        // If the notification is inconsistent, the next report resolves that.
        guard case .fresh(let deliveries) = mailbox.take(batch, by: way) else {
            return actions + state.advance(to: now)
        }
        return actions + tell(deliveries)
    }

    private mutating func tell(_ deliveries: [Answer.Delivery]) -> [EngineAction] {
        if deliveries.isEmpty { return [] }
        var events = Answer()
        events.deliveries = deliveries
        return state.notified(events, now: now)
    }

    private mutating func failed(_ error: RegistryError) -> [EngineAction] {
        sent = nil
        if error == .unknownDevice { mailbox.forget() }
        return state.failed(error, now: now)
    }

    // MARK: Consequences

    /// Passes reports to the offline registry, if there is one: its answers follow the actions that were due
    /// before. Reports to a server are counted.
    private mutating func settle(_ actions: inout [EngineAction], _ wall: Duration) {
        if let events = offline?.advance(to: now, wall: wall) { actions += takeEvents(events) }
        var place = 0
        while place < actions.count {
            defer { place += 1 }
            guard case .report(let report) = actions[place] else { continue }
            guard offline != nil else {
                reportCount += 1
                sent = report
                continue
            }
            actions += answer(to: report, wall)
        }
        if offline != nil {
            actions = actions.filter { if case .report = $0 { false } else { true } }
        }
    }

    private mutating func answer(to report: Report, _ wall: Duration) -> [EngineAction] {
        guard let (events, answer) = offline?.take(report, now: now, wall: wall) else { return [] }
        let actions = takeEvents(events)
        switch answer {
        case .success(let answer): return actions + state.answered(answer, now: now)
        case .failure(let error): return actions + state.failed(error, now: now)
        }
    }

    private mutating func takeEvents(_ events: Answer) -> [EngineAction] {
        events == Answer() ? [] : state.notified(events, now: now)
    }
}

/// An error after which nothing has changed.
package struct EngineFailure: Error, Hashable {
    /// The description for people, in one line.
    package var line: String

    package static var notBegun: EngineFailure { EngineFailure(line: WebError.notBegun.line) }
}
