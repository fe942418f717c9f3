import MediumShell
import Nearby
import Synchronization

/// A medium that sends tokens by Bluetooth Low Energy, in the data of advertisements that nobody can answer.
/// It also reports beacons.
///
///     assignment ─→ TokenAdvertisement ─→ BLERadio
///     sightings ←── SightingFilter ←── TokenAdvertisement ←── BLERadio
///     beacons ←──── BeaconScanner ←────────────────────────────── BLERadio
///
/// The radio's address is random and drawn anew whenever the tokens change. The condition shows every
/// obstacle. After an obstacle the radio is tried again, at growing intervals.
public final class BLEMedium: MediumDriver {
    /// A function that reports that a direction works (the obstacle is `nil`) or that its obstacle has
    /// changed; the string is one line for people. The radio's thread calls it.
    public typealias Explain = @Sendable (Role, MediumCondition.Obstacle?, String) -> Void

    public let medium = Medium.ble
    private let settings: BLEMediumSettings
    private let eventQueue = MediumEventQueue(.ready)
    private let radio: BLERadio
    private let wanted = Mutex(Wanted())
    private let beacons: BeaconListener

    private struct Wanted {
        var assignment = MediumAssignment.idle
        /// A number that changes whenever the payloads change.
        var epoch: UInt64 = 0
    }

    /// - Parameters:
    ///   - radio: the radio's name; the radio need not be there yet.
    ///   - explain: a function that reports how the radio fares.
    ///
    /// Throws: ``BLEError`` if the system has no thread for the radio.
    public init(
        _ radio: TransportName = .auto, settings: BLEMediumSettings = BLEMediumSettings(),
        explain: Explain? = nil
    ) throws(BLEError) {
        self.settings = settings
        let filter = Mutex(SightingFilter(every: settings.tellsEvery))
        let advertisement = TokenAdvertisement(settings.service)
        let beacons = BeaconListener(every: settings.tellsEvery)
        self.beacons = beacons
        self.radio = try BLERadio(
            radio,
            .init(
                heard: { [eventQueue] report, now in
                    for beacon in beacons.hear(report, now: now) { eventQueue.put(.beacon(beacon)) }
                    for frame in advertisement.frames(in: report.data) {
                        guard filter.withLock({ $0.note(frame, now: now) }) == .reported,
                            let payload = Sighting.Payload(frame: frame)
                        else { continue }
                        eventQueue.put(
                            .sighted(Sighting(payload, on: .ble, signal: .init(rssiDBm: report.rssiDBm))))
                    }
                },
                found: { [eventQueue] obstacle, role, words in
                    if eventQueue.set(obstacle, because: words, role) || obstacle == nil {
                        explain?(role, obstacle, words)
                    }
                }))
    }

    deinit { eventQueue.close() }

    public func events() -> AsyncStream<MediumEvent> { eventQueue.events() }

    public func carryOut(_ assignment: MediumAssignment) async {
        wanted.withLock { wanted in
            if wanted.assignment.broadcast?.payloads != assignment.broadcast?.payloads { wanted.epoch += 1 }
            wanted.assignment = assignment
            beacons.listen(for: assignment.beacons?.kinds ?? [])
            radio.carryOut(order(wanted))
        }
        // The caller may exit the program next.
        if assignment == .idle { await radio.silence() }
    }

    private func order(_ wanted: Wanted) -> RadioOrder {
        RadioOrder(wanted.assignment, settings, epoch: wanted.epoch)
    }
}

extension RadioOrder {
    /// Translates an assignment to an order for a radio.
    ///
    /// - Parameter epoch: a number that changes whenever the payloads change.
    package init(_ assignment: MediumAssignment, _ settings: BLEMediumSettings, epoch: UInt64) {
        let beacons = assignment.beacons?.kinds.sorted { $0.rawValue < $1.rawValue } ?? []
        let tokens = assignment.isScanning ? [TokenAdvertisement(settings.service).pattern] : []
        self.init(patterns: tokens + beacons.map { Pattern($0) })
        // In the background the radio scans a tenth of the time, if it lets the program choose. Tokens change
        // and must be found soon; beacons stay for years.
        let isSparing =
            assignment.isInBackground || (!assignment.isScanning && assignment.beacons?.isSparing ?? false)
        if assignment.isScanning || assignment.beacons != nil {
            scan = isSparing ? .background : .foreground
        }
        let contents = (assignment.broadcast?.payloads ?? []).map { settings.content($0.frame) }
        if !contents.isEmpty {
            advertising = .init(contents, epoch: epoch, isExtended: settings.isExtended)
        }
    }
}

/// A ``BeaconScanner`` shared between the medium, which sets the kinds, and the radio's thread, which passes
/// reports.
private final class BeaconListener: Sendable {
    private let scanner: Mutex<BeaconScanner>

    init(every: Duration) { scanner = Mutex(BeaconScanner(every: every)) }

    func listen(for kinds: Set<AdvertisedID.Kind>) { scanner.withLock { $0.kinds = kinds } }

    func hear(_ report: AdvertisingReport, now: Instant) -> [BeaconSighting] {
        scanner.withLock { $0.hear(report, now: now) }
    }
}
