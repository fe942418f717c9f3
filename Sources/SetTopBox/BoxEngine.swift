import Logging
import Nearby

/// An engine with its devices and its registry, from its beginning to its end, and the operations that it
/// runs for a box.
actor BoxEngine {
    nonisolated let engine: NearbyEngine
    nonisolated let gate: GatedMedium
    /// A signal that the status of an operation has changed. It is for one reader.
    nonisolated let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation
    private let medium: BoxParts.Part<any MediumDriver>
    private let registry: BoxParts.Part<any TokenRegistry>
    private let deliveryLog: DeliveryLog
    private var publication: PublicationHandle?
    private var published: Message?
    private var subscription: SubscriptionEvents?
    private var filter: MessageFilter?
    private var reading: Task<Void, Never>?

    init(
        _ medium: BoxParts.Part<any MediumDriver>, _ registry: BoxParts.Part<any TokenRegistry>,
        _ configuration: BoxConfiguration, isSilent: Bool, clock: EngineClock, deliveryLog: DeliveryLog,
        log: Logger
    ) {
        (self.medium, self.registry, self.deliveryLog) = (medium, registry, deliveryLog)
        gate = GatedMedium(medium.content, isSilent: isSilent, pause: configuration.pause)
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let changed = changed
        engine = NearbyEngine(
            media: [gate], registry: registry.content, settings: configuration.engineSettings, clock: clock,
            log: log,
            trace: { trace in
                deliveryLog.note(trace, now: clock.now())
                if case .did(.operation) = trace { changed.yield() }
            })
    }

    /// Throws ``BoxError/engine(_:)``.
    func begin(_ configuration: BoxConfiguration) async throws(BoxError) {
        await engine.listen()
        try await change(to: configuration)
    }

    /// Publishes and receives as the new configuration says. A new subscription begins before the old one
    /// ends, so that the token goes on.
    ///
    /// Throws ``BoxError/engine(_:)``; then everything is as it was.
    func change(to new: BoxConfiguration) async throws(BoxError) {
        let strategy = new.strategy
        do throws(NearbyError) {
            var (nextFilter, nextSubscription) = (filter, subscription)
            if new.receives != filter {
                nextFilter = new.receives
                nextSubscription = nil
                if let wanted = new.receives {
                    nextSubscription = try await engine.subscribe(to: wanted, strategy: strategy)
                }
            }
            try await say(new.announcement, strategy)
            if new.receives != filter { await listen(to: nextSubscription, nextFilter) }
        } catch {
            throw .engine(error)
        }
    }

    private func say(_ message: Message?, _ strategy: Strategy) async throws(NearbyError) {
        guard message != published else { return }
        if let message, let publication {
            try await publication.update(message)
        } else if let message {
            publication = try await engine.publish(message, strategy: strategy)
        } else if let old = publication {
            publication = nil
            deliveryLog.ended(old.operation.id)
            await old.end()
        }
        published = message
    }

    private func listen(to next: SubscriptionEvents?, _ wanted: MessageFilter?) async {
        let (old, oldReading) = (subscription, reading)
        (subscription, filter) = (next, wanted)
        // The trace reports arrivals, in order with all other events; this task only keeps the stream from
        // piling up.
        reading = next.map { events in Task { for await _ in events {} } }
        if let old {
            deliveryLog.ended(old.operation.id)
            await old.end()
        }
        oldReading?.cancel()
    }

    /// Ends the engine. It returns when the engine has unregistered and its devices are released.
    func end() async {
        reading?.cancel()
        await engine.end()
        await medium.end()
        await registry.end()
        changed.finish()
    }
}
