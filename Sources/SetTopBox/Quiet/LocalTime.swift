import Glibc

/// The local time of one place, summer time included: the amount by which its clocks are ahead of UTC, at any
/// time.
public struct LocalTime: Sendable, Hashable {
    private enum Source: Hashable {
        /// The zone's file, and the folder that it was read from.
        case file(ZoneFile, folder: String)
        case rule(ZoneRule)
    }

    /// The name that was given: `Europe/Berlin`, `CET-1CEST,M3.5.0,M10.5.0/3`.
    public let name: String
    private let source: Source

    /// The folder of the system's zones, unless `TZDIR` names another one.
    public static let folder = "/usr/share/zoneinfo"
    /// UTC, which is the same everywhere.
    public static let utc = LocalTime("UTC", .rule(ZoneRule("UTC0")!))

    private init(_ name: String, _ source: Source) { (self.name, self.source) = (name, source) }

    /// Returns one of the system's zones, by its name in the tz database. It also accepts a rule in POSIX's
    /// notation, for a system that has no zones.
    ///
    /// Throws an error that says what is wrong with the name.
    public static func named(
        _ name: String, in folder: String = folder
    ) throws(LocalTimeError) -> LocalTime {
        if name == "UTC" { return utc }
        if let rule = ZoneRule(name) {
            guard !rule.isAmbiguous else {
                throw LocalTimeError(name: name, reason: .ambiguous(westSeconds: -rule.offsetSeconds))
            }
            return LocalTime(name, .rule(rule))
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && !part.hasPrefix(".") && part.utf8.allSatisfy(isNameByte)
        }
        guard isName else { throw LocalTimeError(name: name, reason: .noName) }
        guard let bytes = LocalTime.read("\(folder)/\(name)") else {
            throw LocalTimeError(name: name, reason: .unknown(folder: folder))
        }
        guard let file = ZoneFile(bytes) else { throw LocalTimeError(name: name, reason: .damaged) }
        return LocalTime(name, .file(file, folder: folder))
    }

    /// Reads the same zone as the system has it now: zones change, and so do the files of a system that is
    /// updated. Returns `nil` if nothing has changed.
    ///
    /// Throws an error if the file is gone or damaged.
    public func reread() throws(LocalTimeError) -> LocalTime? {
        guard case .file(_, let folder) = source else { return nil }
        let now = try LocalTime.named(name, in: folder)
        return now == self ? nil : now
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "+-_".utf8.contains(byte)
    }

    /// Returns the seconds by which local clocks are ahead of UTC.
    ///
    /// - Parameter unixSeconds: the time since 1970, UTC.
    public func offsetSeconds(at unixSeconds: Int64) -> Int64 {
        switch source {
        case .file(let file, _): file.offsetSeconds(at: unixSeconds)
        case .rule(let rule): rule.offsetSeconds(at: unixSeconds)
        }
    }

    /// Returns a whole zone file; `nil` if there is none or if it is longer than one can be.
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

/// The reason why a name stands for no local time.
public struct LocalTimeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of defect.
    public enum Reason: Hashable, Sendable {
        /// The name is neither a zone's name nor a rule.
        case noName
        /// The name is a rule that POSIX reads so many seconds to the west, where people may mean the east.
        case ambiguous(westSeconds: Int64)
        /// The system has no zone of that name.
        case unknown(folder: String)
        /// The zone's file is not a valid zone file.
        case damaged
    }

    /// The name that was given.
    public var name: String
    /// The defect of the name.
    public var reason: Reason

    /// The error in one line.
    public var description: String {
        switch reason {
        case .noName:
            "'\(name)' is no time zone: a name such as Europe/Berlin, or a rule such as CET-1CEST,M3.5.0,M10.5.0/3"
        case .ambiguous where name.contains(","):
            "'\(name)' may mean two times: POSIX counts hours to the west; write \(signed("")) for west of Greenwich, "
                + "\(signed("-")) for east of it"
        case .ambiguous(let west):
            "'\(name)' may mean two times: POSIX counts hours to the west, so that it would be UTC\(LocalTimeError.hours(-west)); "
                + "write \(LocalTimeError.rule(-west)) for that, or \(LocalTimeError.rule(west)) for UTC\(LocalTimeError.hours(west))"
        case .unknown(let folder):
            "there is no \(folder)/\(name): install tzdata, correct the name, or say its rule, such as CET-1CEST,M3.5.0,M10.5.0/3"
        case .damaged: "'\(name)': its file in the system is no time zone"
        }
    }

    /// Returns the rule with another sign in place of its first one.
    private func signed(_ sign: String) -> String {
        let parts = name.split(separator: "+", maxSplits: 1)
        return parts.joined(separator: sign)
    }

    /// Returns hours, with minutes if needed: `+2`, `-3:30`.
    private static func hours(_ eastSeconds: Int64) -> String {
        let minutes = abs(eastSeconds) / 60
        let rest = minutes % 60 == 0 ? "" : ":\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
        return "\(eastSeconds < 0 ? "-" : "+")\(minutes / 60)\(rest)"
    }

    /// Returns a name that has only one meaning: `Etc/GMT-2`, or `<+0530>-5:30`.
    private static func rule(_ eastSeconds: Int64) -> String {
        let west = hours(-eastSeconds)
        if eastSeconds % 3600 == 0, (-12...14).contains(eastSeconds / 3600) { return "Etc/GMT\(west)" }
        let minutes = abs(eastSeconds) / 60
        let number = minutes / 60 * 100 + minutes % 60
        let digits = String(repeating: "0", count: max(0, 4 - String(number).count)) + String(number)
        return
            "<\(eastSeconds < 0 ? "-" : "+")\(digits)>\(west.hasPrefix("+") ? String(west.dropFirst()) : west)"
    }
}
