import Signal

/// The baseband of a band as it leaves a channel's front end, kept for receivers of several channels.
struct BasebandTap: Sendable {
    let band: Band
    /// The baseband, and the same without impulses; see ``FrontEnd``.
    private(set) var baseband: [Complex] = []
    private(set) var limited: [Complex] = []
    private(set) var limiterDelay = 0

    init(band: Band) { self.band = band }

    mutating func take(_ sound: FreshSound) {
        sound.frontEnd(of: band).read {
            baseband += $0.baseband
            limited += $0.limited
            limiterDelay = $0.limiterDelay
        }
    }

    mutating func clear() {
        baseband.removeAll(keepingCapacity: true)
        limited.removeAll(keepingCapacity: true)
    }
}
