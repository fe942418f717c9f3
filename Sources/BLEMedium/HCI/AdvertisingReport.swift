/// An advertisement of another radio, as a radio received it.
package struct AdvertisingReport: Sendable, Hashable {
    package var address: RadioAddress
    /// The signal's strength, -127 to 20; `nil` if it is not known.
    package var rssiDBm: Int?
    package var data: [UInt8]
    /// The number of the advertising set; `nil` if the report has none.
    package var setID: UInt8?

    package init(_ address: RadioAddress, rssiDBm: Int?, data: [UInt8], setID: UInt8? = nil) {
        (self.address, self.rssiDBm, self.data, self.setID) = (address, rssiDBm, data, setID)
    }

    static func rssi(_ byte: UInt8) -> Int? {
        let value = Int(Int8(bitPattern: byte))
        return (-127...20).contains(value) ? value : nil
    }
}

/// A piece of an extended advertisement, or the whole of it.
package struct ExtendedReport: Sendable, Hashable {
    package enum Status: Sendable, Hashable {
        case complete
        /// More pieces follow.
        case incomplete
        /// The remaining pieces were not received.
        case truncated
    }

    package var report: AdvertisingReport
    package var status: Status
    /// True for an advertisement in the old form, which has no pieces.
    package var isLegacy: Bool

    package init(_ report: AdvertisingReport, _ status: Status, isLegacy: Bool = false) {
        (self.report, self.status, self.isLegacy) = (report, status, isLegacy)
    }
}
