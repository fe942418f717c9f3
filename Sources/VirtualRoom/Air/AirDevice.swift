/// A device in the air that plays, hears, or both.
package struct AirDevice: Sendable, Hashable {
    package var route: Route
    /// The loudspeaker; `nil` if the device never plays.
    package var loudspeaker: Loudspeaker?
    /// The microphone; `nil` if the device hears nothing. It then costs nothing.
    package var microphone: Microphone?

    package init(
        route: Route, loudspeaker: Loudspeaker? = Loudspeaker(), microphone: Microphone? = Microphone()
    ) {
        (self.route, self.loudspeaker, self.microphone) = (route, loudspeaker, microphone)
    }
}
