// Any bytes as a configuration: TOML or not, settings or not, never a trap; what is read and printed reads as
// the same again. And as hours, and as local time: a rule in POSIX's words, a zone's file.
//
// Names are turned into waveforms, keys and devices by what is not here; that works on values that these have
// let through.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let entries = try? TOMLReader.read(input) {
        let (configuration, problems) = ServiceConfiguration.decode(entries)
        precondition(entries.count >= problems.count)
        guard let printed = try? TOMLReader.read(Array(configuration.commented.utf8)) else {
            fatalError("what is printed is no TOML")
        }
        let again = ServiceConfiguration.decode(printed)
        precondition(again.problems.isEmpty && again.configuration == configuration)
        precondition(configuration.differences(to: again.configuration).isEmpty)
    }
    let text = String(decoding: input, as: UTF8.self)
    for moment: Int64 in [0, 1_780_000_000, 4_000_000_000] {
        if let rule = ZoneRule(text) { precondition(abs(rule.offsetSeconds(at: moment)) <= 26 * 3600) }
        if let zone = ZoneFile(input) { precondition(abs(zone.offsetSeconds(at: moment)) <= 26 * 3600) }
        if let hours = try? QuietHours([text], in: .utc) {
            // Ranges are of each week alike.
            precondition(
                hours.contains(unixSeconds: moment) == hours.contains(unixSeconds: moment + 7 * 86_400))
        }
    }
    return 0
}
