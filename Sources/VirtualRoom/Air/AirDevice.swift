/// A device in the air that plays, hears, or both.
public struct AirDevice: Sendable, Hashable {
    public var route: Route
    /// The loudspeaker; `nil` if the device never plays.
    public var loudspeaker: Loudspeaker?
    /// The microphone; `nil` if the device hears nothing. It then costs nothing.
    public var microphone: Microphone?

    public init(
        route: Route, loudspeaker: Loudspeaker? = Loudspeaker(), microphone: Microphone? = Microphone()
    ) {
        (self.route, self.loudspeaker, self.microphone) = (route, loudspeaker, microphone)
    }
}
