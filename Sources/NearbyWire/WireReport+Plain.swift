import FoundationEssentials
import Nearby

extension WireReport {
    /// Decodes a body. Throws: ``WireError``, one line.
    package init(json body: [UInt8]) throws(WireError) {
        if let report = WireReport.plain(body) {
            self = report
        } else {
            self = try WireCoding.decode(WireReport.self, from: Data(body))
        }
    }

    /// Reads a report as devices send it all the time: about what they hear and what they play, in plain
    /// JSON. Returns `nil` for every other one.
    static func plain(_ body: [UInt8]) -> WireReport? {
        var report = WireReport()
        var text = PlainJSON(body)
        let isPlain = text.object { text, name in
            switch name {
            case "observations":
                // A list that is not read to its end is the decoder's.
                text.array(into: &report.observations, upTo: WireLimits.observations - 1) {
                    Observation(plain: &$0)
                }
            case "observationsAreComplete": text.read(into: &report.observationsAreComplete)
            case "playing":
                text.array(into: &report.playing, upTo: WireLimits.entries) { Playing(plain: &$0) }
            case "wantsTokens":
                text.array(into: &report.wantsTokens, upTo: WireLimits.entries) { $0.string() }
            case "takesTokensAhead": text.read(into: &report.takesTokensAhead)
            case "mailbox": text.read(into: &report.mailbox)
            case "takenNews": text.read(into: &report.takenNews)
            case "number": text.read(into: &report.number)
            default: false
            }
        }
        return isPlain && text.isAtEnd ? report : nil
    }
}

extension WireReport.Observation {
    fileprivate init?(plain text: inout PlainJSON) {
        var (token, medium, ageMillis) = (String?.none, String?.none, Int64?.none)
        var (snrDecibels, rssiDBm) = (Double?.none, Int?.none)
        let isPlain = text.object { text, name in
            switch name {
            case "token": text.read(into: &token)
            case "medium": text.read(into: &medium)
            case "ageMillis": text.read(into: &ageMillis)
            case "snrDecibels": text.read(into: &snrDecibels)
            case "rssiDBm": text.read(into: &rssiDBm)
            default: false
            }
        }
        guard isPlain, let token, let medium, let ageMillis else { return nil }
        self.init(
            token: token, medium: medium, ageMillis: ageMillis, snrDecibels: snrDecibels, rssiDBm: rssiDBm)
    }
}

extension WireReport.Playing {
    fileprivate init?(plain text: inout PlainJSON) {
        var (token, medium, periodMillis) = (String?.none, String?.none, Int64?.none)
        let isPlain = text.object { text, name in
            switch name {
            case "token": text.read(into: &token)
            case "medium": text.read(into: &medium)
            case "periodMillis": text.read(into: &periodMillis)
            default: false
            }
        }
        guard isPlain, let token, let medium, let periodMillis else { return nil }
        self.init(token: token, medium: medium, periodMillis: periodMillis)
    }
}
