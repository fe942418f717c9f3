import Nearby

extension BeaconName {
    /// The name in the form that people write and read: `eddystone:NAMESPACE+INSTANCE`,
    /// `ibeacon:UUID/MAJOR/MINOR`, `altbeacon:ID` or `eid:ID`, with hexadecimal digits.
    package var text: String {
        let hex = Hex.text(id.bytes)
        switch id.kind {
        case .eddystone: return "eddystone:\(hex.prefix(20))+\(hex.dropFirst(20))"
        case .iBeacon:
            func number(_ first: Int) -> Int { Int(id.bytes[first]) << 8 | Int(id.bytes[first + 1]) }
            let uuid = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
                .map { String(hex.dropFirst($0.lowerBound).prefix($0.count)) }.joined(separator: "-")
            return "ibeacon:\(uuid)/\(number(16))/\(number(18))"
        case .altBeacon: return "altbeacon:\(hex)"
        case .ephemeral: return "eid:\(hex)"
        }
    }
}
