import Glibc
import Nearby

/// A ``TokenRegistry`` in a key that devices share, with no server at all: what is published goes by sound, sealed.
///
///     let project = OfflineProject(name: "shop", key: key)!
///     let engine = NearbyEngine(media: [try AudioMedium.alsa()], registry: OfflineRegistry(project))
///
/// One of these belongs to one device. The shell around ``OfflineState``: it has the clocks.
public actor OfflineRegistry: TokenRegistry {
    private var state: OfflineState
    private let clock: EngineClock
    private let wallClock: @Sendable () -> Duration
    private var alarm = RestartableTimer()
    private var lateTimer = LateTimer()
    private let stream: AsyncStream<Answer>
    private let continuation: AsyncStream<Answer>.Continuation

    /// - Parameters:
    ///   - signer: signs what this device publishes.
    ///   - trust: whose publications it finds.
    ///   - wallClock: since 1970, UTC; devices' clocks may differ by an epoch.
    ///   - random: must be cryptographically strong.
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

    /// The system's, since 1970.
    public static func systemTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    /// Whether a wall clock has been set at all: devices without a battery begin in 1970.
    public static func isSet(_ wall: Duration) -> Bool { OfflineTime.isSet(wall) }
    /// What a person is told when it has not been.
    public static let unsetClock = OfflineTime.unsetClock

    /// Bytes that one message takes at most, its type and namespace included, when it is the device's only one.
    public static func messageByteLimit(isSigned: Bool) -> Int {
        let nothing = Bulletin.Entry(slot: 0, isForEarshot: false, namespace: "", type: "", content: [])
        return Fragment.capacity - Bulletin(entries: [nothing]).unsignedByteCount
            - (isSigned ? Bulletin.signatureByteCount : 0)
    }

    /// Sealed frames that were heard and not opened: of another project, or of another time by a clock that is wrong.
    public var strangeFrameCount: Int { state.strangeFrameCount }

    public nonisolated var takesFrames: Bool { true }
    public nonisolated func news() -> AsyncStream<Answer> { stream }

    /// Takes a report. What was found and lost meanwhile comes as news, also when the report is refused.
    ///
    /// Throws: `.notReady` while the wall clock was never set; `.refused`, `.unknownDevice`.
    public func report(_ report: Report) throws(RegistryError) -> Answer {
        defer { setAlarm() }
        let time = step()
        try time.checkClock()
        do {
            let (answer, news) = try state.report(report, at: time)
            tell(news)
            return answer
        } catch {
            tell(state.takeNews())
            throw error
        }
    }

    /// Now. Nobody is lost because this process stood still.
    private func step() -> OfflineTime {
        let time = OfflineTime(now: clock.now(), wall: wallClock())
        state.standStill(for: lateTimer.step(at: time.now), now: time.now)
        return time
    }

    private func tell(_ news: Answer) { if news != Answer() { continuation.yield(news) } }

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
