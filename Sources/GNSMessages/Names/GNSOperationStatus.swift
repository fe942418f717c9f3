/// What a publication or subscription is doing.
public enum GNSOperationStatus: UInt, Sendable {
    /// Nothing: it is about to begin, its time is over, or permission, a medium, or a strategy that can be carried out is missing:
    /// ``GNSPublication/inactiveReason``.
    case inactive = 0
    /// Its media run; whoever matches tokens does not know of it yet.
    case starting = 1
    /// Its media run, and whoever matches tokens knows of it.
    case active = 2

    /// ``inactive`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Inactive = inactive
    /// ``starting`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Starting = starting
    /// ``active`` in Swift 2.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    public static let Active = active
}
