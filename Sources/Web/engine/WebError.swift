import Nearby

/// A reason why an event was not taken. Nothing has changed then.
enum WebError: Error, Hashable {
    case tooShort, tooLong, outOfRange, noText
    /// An operation's number is not higher than those before it.
    case numberUsed(UInt64)
    case notBegun
    /// The engine refuses the event with this error.
    case refused(NearbyError)
    /// The text is not a key file, for this reason.
    case noKey(String)

    /// The error in one line, for the author of the page.
    var line: String {
        let what: String
        switch self {
        case .refused(let error): return error.description
        case .noKey(let why): return "the offline key is none: " + why + ": give the text of the key's file"
        case .numberUsed(let number):
            what = "operation " + String(number) + " has a number that was given before"
        case .notBegun: what = "the engine was told something before it began"
        case .tooShort: what = "a record's end is missing"
        case .tooLong: what = "something follows a record's end"
        case .outOfRange: what = "a number is out of its range"
        case .noText: what = "a text is not UTF-8"
        }
        return what + ": the page's files do not fit each other, load all from one place"
    }
}
