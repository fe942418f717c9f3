/// The rule for labels: the names by which owners look for their devices, such as serial numbers. A label is
/// shown in terminals and in logs of administrators, so it is printable ASCII.
enum DeviceLabel {
    /// The lengths of a label in characters.
    static let lengths = 1...64

    /// Throws: `.malformed`.
    static func check(_ label: String) throws(ServiceRefusal) {
        let isPrintable = label.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        guard isPrintable, lengths.contains(label.utf8.count) else {
            throw .malformed(
                "label: expected \(lengths.lowerBound) to \(lengths.upperBound) printable ASCII characters, came \(label.utf8.count) bytes"
            )
        }
    }
}
