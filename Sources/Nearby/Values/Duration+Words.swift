extension Duration {
    /// The duration as text, to a millisecond, like `description`, which Embedded Swift does not have: `2.5
    /// seconds`.
    var words: String {
        let (seconds, attoseconds) = components
        let millis = Int((attoseconds / 1_000_000_000_000_000).magnitude)
        var digits = String(1000 + millis).dropFirst()
        while digits.count > 1, digits.last == "0" { digits.removeLast() }
        return (self < .zero ? "-" : "") + String(seconds.magnitude) + "." + digits + " seconds"
    }
}
