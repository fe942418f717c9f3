import TestSupport
import Testing

@testable import Beacons

/// Tests with 400 random advertisements as two other programs read them: `Tools/peers/beacon_peers.py`.
@Suite struct PeerTests {
    private struct Case: Decodable {
        struct IBeacon: Decodable {
            var uuid: String
            var major: UInt16
            var minor: UInt16
            /// The power; it is left out if the last byte may be something else, such as the battery.
            var power: Int8?
        }

        var report: String
        var name: String?
        var services: [String]
        var serviceData: [String: String]
        var manufacturerData: [String: String]
        var txPower: Int8?
        var iBeacons: [IBeacon]
        /// The models that send such frames.
        var vendorFrames: [String]
    }

    private let cases: [Case]

    init() throws { cases = try FixtureFolder("beacons").decode([Case].self, from: "peers.json") }

    /// All that bluetooth-data-tools 1.29 takes from an advertisement is the same here.
    @Test func structures() throws {
        #expect(cases.count == 400)
        for peer in cases {
            var mine = Summary()
            mine.read(try bytes(peer.report))
            #expect(mine.name == peer.name, "\(peer.report)")
            #expect(mine.services == peer.services.compactMap { BluetoothUUID($0) }, "\(peer.report)")
            #expect(mine.txPower == peer.txPower, "\(peer.report)")
            let serviceData = try peer.serviceData.map { (BluetoothUUID($0), try bytes($1)) }
            #expect(
                mine.serviceData
                    == Dictionary(
                        uniqueKeysWithValues: serviceData.compactMap { uuid, data in uuid.map { ($0, data) } }
                    ))
            let manufacturerData = try peer.manufacturerData.map { (UInt16($0) ?? 0, try bytes($1)) }
            #expect(mine.manufacturerData == Dictionary(uniqueKeysWithValues: manufacturerData))
        }
    }

    /// TheengsDecoder 2.5 finds the same iBeacons, no more and no fewer. A frame that it knows as a sensor's
    /// is unknown here.
    @Test func beaconsOfOthers() throws {
        var (count, unknown) = (0, 0)
        for peer in cases {
            // If there are several of one company, the peer sees the last.
            var last: [UInt16: IBeaconFrame] = [:]
            var eddystone: EddystoneFrame?
            let report = try bytes(peer.report)
            var reader = Advertisement(report.span).structures
            while let structure = reader.next() {
                if let company = structure.manufacturerData?.company { last[company] = nil }
                guard let beacon = try? Beacon(structure) else { continue }
                if case .iBeacon(let frame) = beacon { last[IBeaconFrame.company] = frame }
                if case .eddystone(let frame) = beacon { eddystone = frame }
            }
            #expect(last.count == peer.iBeacons.count, "\(peer.report)")
            for (mine, their) in zip(last.values, peer.iBeacons) {
                #expect(mine.uuid == UInt128(their.uuid, radix: 16))
                #expect(mine.major == their.major && mine.minor == their.minor)
                #expect(mine.referencePower?.atOneMeterDBm == their.power.map(Int.init))
            }
            count += peer.iBeacons.count
            if !peer.vendorFrames.isEmpty {
                unknown += 1
                guard case .unknown(type: 0x21, _) = eddystone else {
                    Issue.record(
                        "\(peer.report): of a sensor, and taken for \(String(describing: eddystone))")
                    continue
                }
            }
        }
        #expect(count > 20 && unknown > 20, "\(count) \(unknown)")
    }
}

/// The contents that bluetooth-data-tools keeps of an advertisement: of equal keys the last.
private struct Summary {
    var name: String?
    var services: [BluetoothUUID] = []
    var serviceData: [BluetoothUUID: [UInt8]] = [:]
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var txPower: Int8?

    mutating func read(_ report: [UInt8]) {
        var reader = Advertisement(report.span).structures
        while let structure = reader.next() {
            if structure.type == .completeLocalName || (structure.type == .shortenedLocalName && name == nil),
                !structure.body.isEmpty
            {
                name = String(decoding: structure.body.array, as: UTF8.self)
            }
            for index in 0..<structure.serviceUUIDCount { services.append(structure.serviceUUID(at: index)) }
            if let data = structure.serviceData { serviceData[data.uuid] = data.payload.array }
            if let data = structure.manufacturerData { manufacturerData[data.company] = data.payload.array }
            txPower = structure.txPowerDBm ?? txPower
        }
    }
}
