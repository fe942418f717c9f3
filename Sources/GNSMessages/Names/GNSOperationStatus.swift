/// The status of a publication or subscription.
public enum GNSOperationStatus: UInt, Sendable {
    /// The operation does nothing. It is about to begin, its time is over, or it lacks permission, a medium,
    /// or a strategy that can be carried out: ``GNSPublication/inactiveReason``.
    case inactive = 0
    /// Its media run, but the registry that matches tokens does not know of it yet.
    case starting = 1
    /// Its media run, and the registry that matches tokens knows of it.
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
