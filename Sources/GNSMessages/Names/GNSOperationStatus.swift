/// What a publication or subscription is doing.
public enum GNSOperationStatus: UInt, Sendable {
    /// Nothing, for want of permission, of a medium, or of a strategy that can be carried out:
    /// ``GNSPublication/inactiveReason``.
    case inactive = 0
    case starting = 1
    case active = 2

    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Inactive = inactive
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Starting = starting
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Active = active
}
