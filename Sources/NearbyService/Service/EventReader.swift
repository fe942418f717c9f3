import NearbyWire

/// The end of a stream of events at which the device is. The service calls it and does not wait for it.
///
///     service ── eventPosition ─▶ reader        the reader names the last events that it has, and is busy
///             ── take ─────────▶               it sends the events down the stream …
///             ◀───────── ask ──                … and asks, if it was called meanwhile
package protocol EventReader: AnyObject, Sendable {
    /// Returns the place after which the reader wants the events of this mailbox now. `nil` while it is busy:
    /// then it asks when it is not busy any more; see ``DeviceEventStream/ask()``.
    func eventPosition(in mailbox: String) -> EventPosition?
    /// Takes the events after the place that it named.
    func take(_ events: StreamEvents)
    /// Ends the stream. Nothing more comes.
    func end()
}

/// A place in the events of one device.
package struct EventPosition: Sendable {
    /// The mailbox that the events are numbered in; `nil` before any of them.
    package var mailbox: String?
    /// The number of the last events that are before it.
    package var number: Int64

    /// Creates a place.
    package init(mailbox: String?, number: Int64) { (self.mailbox, self.number) = (mailbox, number) }
}

/// The result of looking for a device's events.
package enum StreamEvents: Sendable {
    /// The events, of which there may be none. A device that hears another one, and is gone, must be noticed
    /// soon, because both lose one another.
    case events(WireEvent, hearsAny: Bool)
    /// This instance may not answer now, because its lease is late. The stream stays open, and the reader is
    /// called again.
    case later
}
