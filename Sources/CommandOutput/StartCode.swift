import Glibc

/// Code that only the start of a program needs: half of all code that a listener or a box would else hold in memory for days.
package enum StartCode {
    /// The longest line of `/proc/self/maps`: a path, and what is before it.
    private static let lineBytes = Int(PATH_MAX) + 128

    /// Lets go of all code. What goes on to be used comes back, a piece at a time, out of the system's cache of files, which
    /// keeps the rest as long as there is room; or else out of the files.
    package static func letGo() {
        // All of them first: to read on would bring back what has gone.
        for place in places() {
            madvise(UnsafeMutableRawPointer(bitPattern: place.lowerBound), place.count, MADV_DONTNEED)
        }
    }

    private static func places() -> [Range<UInt>] {
        guard let maps = fopen("/proc/self/maps", "r") else { return [] }
        defer { fclose(maps) }
        var places: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: lineBytes)
        while fgets(&line, Int32(line.count), maps) != nil {
            let bytes = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            if let place = place(String(decoding: bytes, as: UTF8.self)) { places.append(place) }
        }
        return places
    }

    /// Where a file's code is, which nothing may write to and nothing has, by a line of `/proc/self/maps`:
    /// `55c2d8b2f000-55c2d991e000 r-xp 00000000 fe:00 16280010   /usr/bin/nearby-modem`; nil for all else.
    private static func place(_ line: String) -> Range<UInt>? {
        let fields = line.split(whereSeparator: \.isWhitespace)
        guard fields.count > 5, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
