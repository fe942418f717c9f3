import Nearby
import Synchronization

/// A queue of events for the engine. It holds the last condition and a bounded number of sightings, however
/// slowly they are read.
package final class MediumEventQueue: Sendable {
    private static let limit = 1024

    private struct Contents {
        var condition: MediumCondition
        var isConditionNew = true
        var heard: [MediumEvent] = []
        var isClosed = false
        var reader: UInt64 = 0
        var waiting: CheckedContinuation<MediumEvent?, Never>?
    }

    private let contents: Mutex<Contents>

    package init(_ condition: MediumCondition) { contents = Mutex(Contents(condition: condition)) }

    /// Returns the events for one reader; an earlier reader's stream ends.
    package func events() -> AsyncStream<MediumEvent> {
        let (reader, former) = contents.withLock { contents in
            contents.reader += 1
            contents.isConditionNew = true
            defer { contents.waiting = nil }
            return (contents.reader, contents.waiting)
        }
        former?.resume(returning: nil)
        return AsyncStream {
            await self.next(for: reader)
        } onCancel: {
            self.end(reader)
        }
    }

    private func next(for reader: UInt64) async -> MediumEvent? {
        await withCheckedContinuation { continuation in
            let event: MediumEvent?? = contents.withLock { contents in
                guard reader == contents.reader, !contents.isClosed else { return .some(nil) }
                if let event = MediumEventQueue.take(&contents) { return event }
                contents.waiting = continuation
                return nil
            }
            if let event { continuation.resume(returning: event) }
        }
    }

    private static func take(_ contents: inout Contents) -> MediumEvent? {
        if contents.isConditionNew {
            contents.isConditionNew = false
            return .condition(contents.condition)
        }
        return contents.heard.isEmpty ? nil : contents.heard.removeFirst()
    }

    /// Adds an event; the oldest is dropped if there are too many.
    package func put(_ event: MediumEvent) {
        change { contents in
            if contents.heard.count >= MediumEventQueue.limit { contents.heard.removeFirst() }
            contents.heard.append(event)
        }
    }

    /// Changes the condition and queues it. Returns true if it has changed.
    @discardableResult
    package func set(_ obstacle: MediumCondition.Obstacle?, because reason: String?, _ role: Role) -> Bool {
        change { contents in
            var condition = contents.condition
            condition.set(obstacle, because: reason, on: role)
            guard condition != contents.condition else { return false }
            contents.condition = condition
            contents.isConditionNew = true
            return true
        }
    }

    package func close() {
        let waiting = contents.withLock { contents in
            contents.isClosed = true
            defer { contents.waiting = nil }
            return contents.waiting
        }
        waiting?.resume(returning: nil)
    }

    private func end(_ reader: UInt64) {
        let waiting = contents.withLock { contents -> CheckedContinuation<MediumEvent?, Never>? in
            guard reader == contents.reader else { return nil }
            contents.reader += 1
            defer { contents.waiting = nil }
            return contents.waiting
        }
        waiting?.resume(returning: nil)
    }

    private func change<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
        let (result, ready) = contents.withLock { contents in
            let result = body(&contents)
            guard let waiting = contents.waiting, let event = MediumEventQueue.take(&contents) else {
                return (result, nil as (CheckedContinuation<MediumEvent?, Never>, MediumEvent)?)
            }
            contents.waiting = nil
            return (result, (waiting, event))
        }
        if let (waiting, event) = ready { waiting.resume(returning: event) }
        return result
    }
}
