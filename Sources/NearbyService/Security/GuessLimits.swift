import Nearby

/// How many tokens that stand for nobody the devices of a project may name, by its size: the more live tokens there are, the likelier a
/// guess is one of them.
///
///     hits expected in a day = guesses a day × live tokens ∕ 2⁶⁴ ≤ ``ServiceSettings/expectedGuessesPerDay``
///
/// A project's misses of a day are divided in three: 78 % come back second by second, 10 % are there at once, and 10 % are what
/// devices that have named none for ``cleanAfter`` may spend beyond. The rest is room for the report that empties the budget.
struct GuessLimits: Sendable {
    /// Misses of all devices together.
    let project: Budget.Limit
    /// A device that has named none for so long is believed until its first miss, whatever others do.
    let cleanAfter: Duration
    private let device: Budget.Limit
    private let newcomer: Budget.Limit

    /// An audio and a BLE token of each device, and those that were replaced within the last moments.
    static let liveTokensPerDevice = 2.5
    /// A device's allowance has grown to its full size after that time.
    private static let growth = Duration.seconds(3600)

    /// - Parameter devices: those of the project now; smaller projects have what one of 10 000 devices has.
    init(devices: Int, expectedGuessesPerDay: Double) {
        let day = 86_400.0
        let size = Double(max(10_000, devices))
        let perDay = expectedGuessesPerDay * 0x1p64 / (GuessLimits.liveTokensPerDevice * size)
        // The upper bounds are what a server has the processor for.
        let project = Budget.Limit(
            perSecond: min(0.78 * perDay / day, 20_000), atOnce: min(0.1 * perDay, 20_000_000))
        self.project = project
        cleanAfter = .seconds(max(3600, size * day / (0.1 * perDay)))
        let perSecond = min(200, project.perSecond / 20)
        device = Budget.Limit(perSecond: perSecond, atOnce: min(20_000, project.atOnce / 16))
        newcomer = Budget.Limit(perSecond: perSecond, atOnce: min(6000, project.atOnce / 64))
    }

    /// Misses of one device: less at first, since who has a project's key makes as many new devices as it likes; but as many as an engine
    /// that is in a flood from the start names in its first two reports.
    ///
    /// - Parameter age: since it registered.
    func device(age: Duration) -> Budget.Limit {
        let share = min(1, max(0, age.inSeconds / GuessLimits.growth.inSeconds))
        return Budget.Limit(
            perSecond: device.perSecond,
            atOnce: newcomer.atOnce + share * (device.atOnce - newcomer.atOnce))
    }
}
