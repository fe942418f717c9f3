import Nearby

/// A device as an administrator sees it: never its contents, tokens or secret.
package struct DeviceOverview: Sendable {
    /// A token that the device may have on air, without the token itself.
    package struct HeldToken: Sendable {
        package var medium: Medium
        package var remaining: Duration
    }

    package var hash: SecretHash
    package var key: KeyID
    package var label: String?
    /// True if the device's stream of events is open.
    package var isStreaming: Bool
    /// True if the device hears another one, or is heard by one.
    package var isNearAny: Bool
    /// The time since the last report; `nil` if this instance has received none.
    package var sinceReport: Duration?
    package var publications: Int
    package var subscriptions: Int
    package var tokens: [HeldToken]
}

/// A search for devices of one project. Devices come in the order of their hashes.
package struct DeviceQuery: Sendable {
    /// The largest number of devices on one page.
    package static let largestPage = 1000

    /// The beginning of the label.
    package var label: String?
    /// The hashes to look among; `nil` for all.
    package var hashes: ClosedRange<SecretHash>?
    /// The hash after which the page begins; `nil` for the first page.
    package var after: SecretHash?
    package var limit: Int

    package init(
        label: String? = nil, hashes: ClosedRange<SecretHash>? = nil, after: SecretHash? = nil,
        limit: Int = 100
    ) {
        precondition((1...DeviceQuery.largestPage).contains(limit), "a page has 1 to 1000 devices")
        (self.label, self.hashes, self.after, self.limit) = (label, hashes, after, limit)
    }
}

/// One page of a search.
package struct DevicePage: Sendable {
    package var devices: [DeviceOverview]
    /// True if more devices follow the last one of the page.
    package var hasMore: Bool
}

extension SecretHash {
    /// Returns the hashes that begin with these hexadecimal digits; `nil` unless there are 1 to 64 of them.
    package static func range(beginning digits: some StringProtocol) -> ClosedRange<SecretHash>? {
        let values = digits.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard (1...64).contains(values.count), !values.contains(nil) else { return nil }
        func hash(filledWith digit: Int) -> SecretHash {
            let all = values.map { $0! } + [Int](repeating: digit, count: 64 - values.count)
            return SecretHash(
                bytes: stride(from: 0, to: 64, by: 2).map { UInt8(all[$0] << 4 | all[$0 + 1]) })!
        }
        return hash(filledWith: 0)...hash(filledWith: 15)
    }
}
