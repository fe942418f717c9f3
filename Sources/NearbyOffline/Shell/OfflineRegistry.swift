import Glibc
import Nearby

/// A ``TokenRegistry`` that consists of a key that devices share, without a server: sound carries
/// publications in sealed frames.
///
///     let project = OfflineProject(name: "shop", key: key)!
///     let engine = NearbyEngine(media: [try AudioMedium.alsa()], registry: OfflineRegistry(project))
///
/// An instance belongs to one device. It is the shell around ``OfflineState``: it has the clocks.
public actor OfflineRegistry: TokenRegistry {
    private var state: OfflineState
    private let clock: EngineClock
    private let wallClock: @Sendable () -> Duration
    private var alarm = RestartableTimer()
    private var lateTimer = LateTimer()
    private let stream: AsyncStream<Answer>
    private let continuation: AsyncStream<Answer>.Continuation

    /// - Parameters:
    ///   - signer: the key that signs this device's publications.
    ///   - trust: the publishers whose publications this device finds.
    ///   - wallClock: the time since 1970, UTC. Devices' clocks may differ by an epoch.
    ///   - random: a source that must be cryptographically strong.
    public init(
        _ project: OfflineProject, signer: PublisherKey? = nil, trust: OfflineTrust = .members,
        settings: OfflineSettings = OfflineSettings(), clock: EngineClock = .continuous(),
        wallClock: @escaping @Sendable () -> Duration = OfflineRegistry.systemTime,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        state = OfflineState(project, signer: signer, trust: trust, settings: settings, random: random)
        (self.clock, self.wallClock) = (clock, wallClock)
        (stream, continuation) = AsyncStream.makeStream()
    }

    deinit {
        alarm.cancel()
        continuation.finish()
    }

    /// Returns the time of the system's clock since 1970.
    public static func systemTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Returns true if a wall clock has been set at all: devices without a battery start in 1970.
    public static func isSet(_ wall: Duration) -> Bool { OfflineTime.isSet(wall) }
    /// The text for a person when the clock has not been set.
    public static let unsetClock = OfflineTime.unsetClock

    /// Returns the highest byte count of a message, with its type and namespace, if it is the device's only
    /// one.
    public static func messageByteLimit(isSigned: Bool) -> Int {
        let nothing = Bulletin.Entry(slot: 0, isForEarshot: false, namespace: "", type: "", content: [])
        return Fragment.capacity - Bulletin(entries: [nothing]).unsignedByteCount
            - (isSigned ? Bulletin.signatureByteCount : 0)
    }

    /// The number of sealed frames that were heard and not opened: they belong to another project, or to
    /// another time because a clock is wrong.
    public var strangeFrameCount: Int { state.strangeFrameCount }

    public nonisolated var takesFrames: Bool { true }
    public nonisolated func events() -> AsyncStream<Answer> { stream }

    /// Takes a report. What was found and lost meanwhile is delivered by ``events()``, even if the report is
    /// refused.
    ///
    /// Throws: `.notReady` while the wall clock was never set; `.refused`, `.unknownDevice`.
    public func report(_ report: Report) throws(RegistryError) -> Answer {
        defer { setAlarm() }
        let time = step()
        try time.checkClock()
        do {
            let (answer, events) = try state.report(report, at: time)
            tell(events)
            return answer
        } catch {
            tell(state.takeEvents())
            throw error
        }
    }

    /// Returns the present time. No device is lost because this process stood still.
    private func step() -> OfflineTime {
        let time = OfflineTime(now: clock.now(), wall: wallClock())
        state.standStill(for: lateTimer.step(at: time.now), now: time.now)
        return time
    }

    private func tell(_ events: Answer) { if events != Answer() { continuation.yield(events) } }

    private func setAlarm() {
        let deadline = state.nextDeadline
        lateTimer.set(deadline)
        alarm.set(deadline, on: clock) { [weak self] in await self?.advance() }
    }

    private func advance() {
        tell(state.advance(to: step()))
        setAlarm()
    }
}
