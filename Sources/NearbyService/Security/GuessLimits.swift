import Nearby

/// The bounds on misses, that is on reported tokens that belong to no device. They depend on the number of
/// devices in a project: the more live tokens there are, the more likely a guess hits one of them.
///
///     hits expected in a day = guesses a day × live tokens ∕ 2⁶⁴ ≤ ``ServiceSettings/expectedGuessesPerDay``
///
/// The misses that a project may have in a day are divided into three parts: 78 % come back second by second,
/// 10 % are available at once, and devices that have had no miss for ``cleanAfter`` may spend another 10 %.
/// The rest is room for the report that empties the budget.
struct GuessLimits: Sendable {
    /// The limit on the misses of all devices together.
    let project: Budget.Limit
    /// The time without a miss after which a device is trusted until its next miss, even if other devices
    /// have used up the project's budget.
    let cleanAfter: Duration
    private let device: Budget.Limit
    private let newcomer: Budget.Limit

    /// The average number of live tokens of a device: its audio token, its BLE token, and tokens that were
    /// replaced moments ago.
    static let liveTokensPerDevice = 2.5
    /// The age at which the allowance of a device reaches its full size.
    private static let growth = Duration.seconds(3600)

    /// - Parameter devices: the number of devices in the project now. Projects with fewer than 10 000 devices
    ///   get the limits for 10 000.
    init(devices: Int, expectedGuessesPerDay: Double) {
        let day = 86_400.0
        let size = Double(max(10_000, devices))
        let perDay = expectedGuessesPerDay * 0x1p64 / (GuessLimits.liveTokensPerDevice * size)
        // The upper bounds reflect the processor time that a server has.
        let project = Budget.Limit(
            perSecond: min(0.78 * perDay / day, 20_000), atOnce: min(0.1 * perDay, 20_000_000))
        self.project = project
        cleanAfter = .seconds(max(3600, size * day / (0.1 * perDay)))
        let perSecond = min(200, project.perSecond / 20)
        device = Budget.Limit(perSecond: perSecond, atOnce: min(20_000, project.atOnce / 16))
        newcomer = Budget.Limit(perSecond: perSecond, atOnce: min(6000, project.atOnce / 64))
    }

    /// Returns the limit on the misses of one device. A new device may miss less often, because anyone with a
    /// project's key can register any number of new devices. The limit still covers the first two reports of
    /// an engine that starts during a flood of invalid tokens.
    ///
    /// - Parameter age: the time since the device registered.
    func device(age: Duration) -> Budget.Limit {
        let share = min(1, max(0, age.inSeconds / GuessLimits.growth.inSeconds))
        return Budget.Limit(
            perSecond: device.perSecond,
            atOnce: newcomer.atOnce + share * (device.atOnce - newcomer.atOnce))
    }
}
