extension Duration {
    /// The duration as text, to a millisecond, like `description`, which Embedded Swift does not have: `2.5
    /// seconds`.
    var words: String {
        let (seconds, attoseconds) = components
        let millis = Int((attoseconds / 1_000_000_000_000_000).magnitude)
        let zeros = millis == 0 || millis >= 100 ? "" : millis < 10 ? "00" : "0"
        var digits = millis
        while digits > 0, digits % 10 == 0 { digits /= 10 }
        return "\(self < .zero ? "-" : "")\(seconds.magnitude).\(zeros)\(digits) seconds"
    }
}
