/// A token with the medium on which it was heard: the same bits on another medium get a verdict of their own.
public struct HeardToken: Sendable, Hashable {
    /// The token that the frame carried.
    public var token: Token
    /// The medium that carried the frame.
    public var medium: Medium

    /// - Parameter medium: the medium on which the token was heard, not the one for which it was issued.
    public init(_ token: Token, on medium: Medium) { (self.token, self.medium) = (token, medium) }
}

/// A registry's verdict on a token that a device heard.
public enum TokenVerdict: String, Sendable, Hashable, CaseIterable {
    /// The token belongs to a device nearby.
    case valid
    /// The token belongs to no device on that medium. The registry does not say why.
    case invalid
    /// The registry gives no verdict: the observation came too late, or the device has named too many invalid
    /// tokens. A device that hears the token again may name it again.
    case notJudged
}
