import NearbyWire

/// The end of a stream of news at which the device is. The service calls it and does not wait for it.
///
///     service ── placeForNews ─▶ reader        the reader names the last news that it has, and is busy
///             ── take ─────────▶               it sends the news down the stream …
///             ◀───────── ask ──                … and asks, if it was called meanwhile
package protocol NewsReader: AnyObject, Sendable {
    /// Returns the place after which the reader wants the news of this mailbox now. `nil` while it is busy:
    /// then it asks when it is not busy any more; see ``DeviceEventStream/ask()``.
    func placeForNews(in mailbox: String) -> NewsPlace?
    /// Takes the news after the place that it named.
    func take(_ news: StreamNews)
    /// Ends the stream. Nothing more comes.
    func end()
}

/// A place in the news of one device.
package struct NewsPlace: Sendable {
    /// The mailbox that the news are numbered in; `nil` before any of them.
    package var mailbox: String?
    /// The number of the last news that are before it.
    package var number: Int64

    /// Creates a place.
    package init(mailbox: String?, number: Int64) { (self.mailbox, self.number) = (mailbox, number) }
}

/// The result of looking for a device's news.
package enum StreamNews: Sendable {
    /// The news, of which there may be none. A device that hears another one, and is gone, must be noticed
    /// soon, because both lose one another.
    case news(WireEvent, hearsAny: Bool)
    /// This instance may not answer now, because its lease is late. The stream stays open, and the reader is
    /// called again.
    case later
}
