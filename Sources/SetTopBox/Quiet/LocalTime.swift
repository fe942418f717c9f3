import Glibc

/// Local time of one place, summer time included: how far its clocks are ahead of UTC, and when.
public struct LocalTime: Sendable, Hashable {
    private enum Source: Hashable {
        case file(ZoneFile)
        case rule(ZoneRule)
    }

    /// As it was named: `Europe/Berlin`, `CET-1CEST,M3.5.0,M10.5.0/3`.
    public let name: String
    private let source: Source

    /// The same everywhere.
    public static let utc = LocalTime("UTC", .rule(ZoneRule("UTC0")!))

    private init(_ name: String, _ source: Source) { (self.name, self.source) = (name, source) }

    /// A zone of the system's, by its name in the tz database; or a rule in POSIX's words, for a system that has no zones.
    ///
    /// Throws: what is wrong with the name.
    public static func named(
        _ name: String, in folder: String = "/usr/share/zoneinfo"
    ) throws(LocalTimeError) -> LocalTime {
        if name == "UTC" { return utc }
        if let rule = ZoneRule(name) { return LocalTime(name, .rule(rule)) }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".") && part.utf8.allSatisfy(isNameByte)
        }
        guard isName else { throw LocalTimeError(name: name, reason: .noName) }
        guard let bytes = LocalTime.read("\(folder)/\(name)") else {
            throw LocalTimeError(name: name, reason: .unknown(folder: folder))
        }
        guard let file = ZoneFile(bytes) else { throw LocalTimeError(name: name, reason: .damaged) }
        return LocalTime(name, .file(file))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "+-_".utf8.contains(byte)
    }

    /// Seconds that local clocks are ahead of UTC.
    ///
    /// - Parameter unixSeconds: since 1970, UTC.
    public func offsetSeconds(at unixSeconds: Int64) -> Int64 {
        switch source {
        case .file(let file): file.offsetSeconds(at: unixSeconds)
        case .rule(let rule): rule.offsetSeconds(at: unixSeconds)
        }
    }

    /// All of a file of zones, nil when there is none or it is longer than one can be.
    private static func read(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        var count = 0
        while count < bytes.count {
            let more = bytes.withUnsafeMutableBytes {
                Glibc.read(file, $0.baseAddress! + count, $0.count - count)
            }
            guard more >= 0 else { return nil }
            if more == 0 { return Array(bytes[..<count]) }
            count += more
        }
        return nil
    }
}

/// Why a name stands for no local time.
public struct LocalTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is the matter with it.
    public enum Reason: Hashable, Sendable {
        /// Neither a zone's name nor a rule.
        case noName
        /// The system has no zone of that name.
        case unknown(folder: String)
        /// Its file is none.
        case damaged
    }

    /// As it was named.
    public var name: String
    /// What is the matter with it.
    public var reason: Reason

    /// One line.
    public var description: String {
        switch reason {
        case .noName:
            "'\(name)' is no time zone: a name such as Europe/Berlin, or a rule such as CET-1CEST,M3.5.0,M10.5.0/3"
        case .unknown(let folder):
            "there is no \(folder)/\(name): install tzdata, correct the name, or say its rule, such as CET-1CEST,M3.5.0,M10.5.0/3"
        case .damaged: "'\(name)': its file in the system is no time zone"
        }
    }
}
