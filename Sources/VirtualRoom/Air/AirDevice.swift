/// Something in the air that plays, hears, or both.
public struct AirDevice: Sendable, Hashable {
    public var route: Route
    /// Nil: it never plays.
    public var loudspeaker: Loudspeaker?
    /// Nil: it hears nothing, and costs nothing.
    public var microphone: Microphone?

    public init(
        route: Route, loudspeaker: Loudspeaker? = Loudspeaker(), microphone: Microphone? = Microphone()
    ) {
        (self.route, self.loudspeaker, self.microphone) = (route, loudspeaker, microphone)
    }
}
