/// A token as it was heard: the same bits on another medium are judged by themselves.
public struct HeardToken: Sendable, Hashable {
    /// The token that the frame carried.
    public var token: Token
    /// The medium that carried the frame.
    public var medium: Medium

    /// - Parameter medium: the one on which it was heard, not the one for which it was issued.
    public init(_ token: Token, on medium: Medium) { (self.token, self.medium) = (token, medium) }
}

/// How a registry judges a token that a device heard.
public enum TokenVerdict: String, Sendable, Hashable, CaseIterable {
    /// It stands for a device nearby.
    case valid
    /// It stands for nobody on that medium. The registry does not say why.
    case invalid
    /// The registry does not say: it was told too late, or the device has named too many invalid tokens. Whoever hears the token
    /// again may name it again.
    case notJudged
}
