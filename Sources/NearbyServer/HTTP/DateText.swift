import Glibc
import HTTPTypes
import Synchronization

/// The header `Date` (RFC 9110 §5.6.7), written once a second: `Sun, 06 Nov 1994 08:49:37 GMT`.
final class DateText: Sendable {
    private let last = Mutex((second: time_t.min, field: HTTPField(name: .date, value: "")))

    /// The header for the wall clock's time.
    var now: HTTPField {
        let second = time(nil)
        return last.withLock { last in
            if last.second != second { last = (second, HTTPField(name: .date, value: DateText.text(second))) }
            return last.field
        }
    }

    /// - Parameter second: The time in seconds since 1970.
    static func text(_ second: time_t) -> String {
        var (second, parts) = (second, tm())
        gmtime_r(&second, &parts)
        var buffer = [CChar](repeating: 0, count: 40)
        // The names are English, because no program here sets a locale.
        let count = strftime(&buffer, buffer.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
