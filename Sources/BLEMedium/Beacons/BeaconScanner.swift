import Beacons
import Nearby

/// A scanner that finds the beacons among the reports of a radio, decides which of them are reported to the
/// engine, and estimates their distances. A value, of bounded size.
///
///     AdvertisingReport ─→ Beacon ─→ AdvertisedID ─→ SightingFilter ─→ BeaconSighting
///                                        └─→ DistanceFilter ─────────────┘
package struct BeaconScanner: Sendable {
    private struct Distance: Sendable {
        var filter = DistanceFilter()
        var lastHeard: Instant
    }

    package static let distanceLimit = 256

    /// The kinds of beacons to look for; all others are skipped.
    package var kinds: Set<AdvertisedID.Kind> = []
    private var filter: SightingFilter
    private var distances: [AdvertisedID: Distance] = [:]

    /// - Parameter every: the interval at which a beacon that is heard again and again is reported.
    package init(every: Duration = .seconds(1)) { filter = SightingFilter(every: every) }

    package var distanceCount: Int { distances.count }

    /// Returns the beacons to report to the engine. Never fails: data without a beacon, or with a broken one,
    /// is left out.
    package mutating func hear(_ report: AdvertisingReport, now: Instant) -> [BeaconSighting] {
        guard !kinds.isEmpty else { return [] }
        return BeaconScanner.beacons(in: report.data).compactMap { beacon in
            guard let id = AdvertisedID(beacon), kinds.contains(id.kind) else { return nil }
            let verdict = filter.note(id.filterBytes, now: now)
            guard verdict != .ignored else { return nil }
            let reading = note(id, report.rssiDBm, beacon.referencePower, now)
            return verdict == .reported ? BeaconSighting(id, reading: reading) : nil
        }
    }

    /// Adds a report to the beacon's history and returns the distance that all its reports suggest.
    private mutating func note(
        _ id: AdvertisedID, _ rssiDBm: Int?, _ reference: ReferencePower?, _ now: Instant
    ) -> BeaconReading {
        guard let rssi = rssiDBm.flatMap({ Int8(exactly: $0) }) else { return BeaconReading() }
        var one = distances[id] ?? Distance(lastHeard: now)
        one.lastHeard = now
        one.filter.add(rssiDBm: rssi, at: now.offset)
        if distances[id] != nil || hasRoom(now, one.filter.memory) { distances[id] = one }
        let median = one.filter.rssiDBm(at: now.offset).map { Int($0.rounded()) }
        let estimate = reference.flatMap { one.filter.estimate(at: now.offset, reference: $0) }
        return BeaconReading(
            rssiDBm: median, meters: estimate?.meters, accuracyFactor: estimate?.accuracyFactor)
    }

    /// Returns true if there is room for one more beacon. A beacon without room is judged by each frame
    /// alone.
    private mutating func hasRoom(_ now: Instant, _ memory: Duration) -> Bool {
        if distances.count >= BeaconScanner.distanceLimit {
            distances = distances.filter { $0.value.lastHeard + memory > now }
        }
        return distances.count < BeaconScanner.distanceLimit
    }

    private static func beacons(in data: [UInt8]) -> [Beacon] {
        var beacons: [Beacon] = []
        var reader = Advertisement(data.span).structures
        while let structure = reader.next() {
            do throws(BeaconRejection) {
                if let beacon = try Beacon(structure) { beacons.append(beacon) }
            } catch {
                // The sender calls its data a beacon, but the data is no valid beacon.
                continue
            }
        }
        return beacons
    }
}

extension AdvertisedID {
    /// `nil` for frames that do not identify their sender: URLs and telemetry.
    package init?(_ beacon: Beacon) {
        switch beacon {
        case .eddystone(.uid(let frame)): self.init(.eddystone, frame.namespace + frame.instance)
        case .eddystone(.ephemeral(let frame)): self.init(.ephemeral, frame.bytes[2...])
        case .iBeacon(let frame): self.init(.iBeacon, frame.bytes[2..<22])
        case .altBeacon(let frame): self.init(.altBeacon, frame.bytes[2..<22])
        case .eddystone: return nil
        }
    }

    fileprivate var filterBytes: [UInt8] { Array(kind.rawValue.utf8) + bytes }
}

extension RadioOrder.Pattern {
    /// Returns the pattern that matches advertisement fields with beacons of a kind.
    package init(_ kind: AdvertisedID.Kind) {
        switch kind {
        // Service data of UUID 0xFEAA, then the frame's type.
        case .eddystone: self.init(type: 0x16, [0xAA, 0xFE, 0x00])
        case .ephemeral: self.init(type: 0x16, [0xAA, 0xFE, 0x30])
        // Manufacturer data: of Apple for an iBeacon, of any company for an AltBeacon.
        case .iBeacon: self.init(type: 0xFF, [0x4C, 0x00, 0x02, 0x15])
        case .altBeacon: self.init(type: 0xFF, offset: 2, [0xBE, 0xAC])
        }
    }
}
