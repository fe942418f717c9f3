/// A compiled time zone in the format of the system's files. Reference: RFC 8536, TZif version 2 and up.
struct ZoneFile: Sendable, Hashable {
    /// An offset that is valid from the time `at` on, in UTC.
    struct Transition: Sendable, Hashable {
        var at: Int64
        var offsetSeconds: Int64
    }

    var firstOffsetSeconds: Int64
    /// The transitions, earliest first.
    var transitions: [Transition]
    /// The rule after the last transition; `nil` if the last transition's offset stays.
    var rule: ZoneRule?

    /// Reads a zone file. Returns `nil` unless it is a complete one.
    init?(_ bytes: [UInt8]) {
        guard let first = Header(bytes, at: 0), first.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: first.end(timeByteCount: 4))
        else { return nil }
        let times = header.start
        let kinds = times + 8 * header.timeCount
        let types = kinds + header.timeCount
        let footer = header.end(timeByteCount: 8)
        guard footer < bytes.count, bytes[footer] == UInt8(ascii: "\n"), header.typeCount > 0,
            let end = bytes[(footer + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let offsets = (0..<header.typeCount).map {
            Int64(Int32(truncatingIfNeeded: Header.number(bytes, types + 6 * $0, 4)))
        }
        // No place has an offset of more than 26 hours.
        guard offsets.allSatisfy({ abs($0) <= 93_600 }) else { return nil }
        transitions = []
        for n in 0..<header.timeCount {
            let kind = Int(bytes[kinds + n])
            guard kind < header.typeCount else { return nil }
            let at = Header.number(bytes, times + 8 * n, 8)
            guard transitions.last.map({ $0.at < at }) ?? true else { return nil }
            transitions.append(Transition(at: at, offsetSeconds: offsets[kind]))
        }
        firstOffsetSeconds = offsets[0]
        let text = bytes[(footer + 1)..<end]
        if !text.isEmpty {
            guard let rule = ZoneRule(String(decoding: text, as: UTF8.self)) else { return nil }
            self.rule = rule
        }
    }

    func offsetSeconds(at unixSeconds: Int64) -> Int64 {
        guard let last = transitions.last else {
            return rule?.offsetSeconds(at: unixSeconds) ?? firstOffsetSeconds
        }
        if unixSeconds >= last.at, let rule { return rule.offsetSeconds(at: unixSeconds) }
        var (low, high) = (0, transitions.count)
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= unixSeconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffsetSeconds : transitions[low - 1].offsetSeconds
    }
}

/// The counts at the beginning of a part of the file.
private struct Header {
    static let byteCount = 44
    let version: UInt8
    let start: Int
    let timeCount: Int
    let typeCount: Int
    private let utCount: Int
    private let standardCount: Int
    private let leapCount: Int
    private let letterCount: Int

    init?(_ bytes: [UInt8], at start: Int) {
        guard start + Header.byteCount <= bytes.count,
            Array(bytes[start..<start + 4]) == Array("TZif".utf8)
        else { return nil }
        version = bytes[start + 4]
        let counts = (0..<6).map { Int(Header.number(bytes, start + 20 + 4 * $0, 4)) }
        (utCount, standardCount, leapCount) = (counts[0], counts[1], counts[2])
        (timeCount, typeCount, letterCount) = (counts[3], counts[4], counts[5])
        self.start = start + Header.byteCount
        // No count exceeds the number of bytes, so that the computed ends cannot overflow either.
        guard counts.allSatisfy({ (0...bytes.count).contains($0) }) else { return nil }
    }

    /// Returns the end of this part of the file.
    func end(timeByteCount: Int) -> Int {
        start + timeCount * (timeByteCount + 1) + typeCount * 6 + letterCount
            + leapCount * (timeByteCount + 4) + standardCount + utCount
    }

    /// Reads a number whose highest byte comes first.
    static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int64 {
        bytes[start..<start + count].reduce(Int64(0)) { $0 << 8 | Int64($1) }
    }
}
