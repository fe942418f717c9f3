import TestSupport
import Testing

@testable import Beacons

/// Returns the bytes of hexadecimal text; a test with a typing error in it fails.
func bytes(_ hexadecimal: String) throws -> [UInt8] {
    try #require([UInt8](hexadecimal: hexadecimal.filter { $0 != " " }))
}

/// Returns every structure as type and body, and whether the end was cut off.
func structures(of report: [UInt8]) -> (all: [Structure], isTruncated: Bool) {
    var reader = Advertisement(report.span).structures
    var all: [Structure] = []
    while let structure = reader.next() {
        all.append(Structure(type: structure.type.rawValue, body: structure.body.array))
    }
    return (all, reader.isTruncated)
}

struct Structure: Hashable {
    var type: UInt8
    var body: [UInt8]
}

/// Returns, for every structure, a beacon or the reason why it is none.
func beacons(in report: [UInt8]) -> [Result<Beacon, BeaconRejection>] {
    var reader = Advertisement(report.span).structures
    var found: [Result<Beacon, BeaconRejection>] = []
    while let structure = reader.next() {
        do throws(BeaconRejection) {
            if let beacon = try Beacon(structure) { found.append(.success(beacon)) }
        } catch {
            found.append(.failure(error))
        }
    }
    return found
}

/// Swift 6.3's optimiser fails at `span` of a value without a name.
func eddystone(_ frame: [UInt8]) throws(BeaconRejection) -> EddystoneFrame { try EddystoneFrame(frame.span) }

// `#expect` takes no borrowed values.

func flags(of report: [UInt8]) -> AdvertisementFlags? { Advertisement(report.span).flags }

func serviceData(of uuid: BluetoothUUID, in report: [UInt8]) -> [UInt8]? {
    Advertisement(report.span).serviceData(of: uuid)?.array
}

func names(_ uuid: BluetoothUUID, in report: [UInt8]) -> Bool { Advertisement(report.span).names(uuid) }
