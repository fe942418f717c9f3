import NIOCore

/// The limits of a server's connections and of the bodies that they carry.
///
/// A *stranger* is a connection on which nobody has shown a known key or device yet.
package struct ConnectionLimits: Sendable {
    /// The highest number of connections.
    package var total: Int
    /// The highest number of strangers.
    package var strangers: Int
    /// The time within which a stranger sends a whole request. It starts with the connection (including the
    /// TLS handshake) or with the last answer.
    package var strangerPatience = TimeAmount.seconds(10)
    /// The time without a request after which a known connection is closed.
    package var idlePatience = TimeAmount.seconds(60)
    /// The time within which a whole body arrives after the head of its request.
    package var bodyPatience = TimeAmount.seconds(15)
    /// The time within which a client accepts some of the data that were sent to it.
    package var writePatience = TimeAmount.seconds(30)
    /// The time for which a closing connection is still read, so that a reset does not lose the last answer
    /// (RFC 9112 §9.6).
    package var lingerPatience = TimeAmount.seconds(1)
    /// The time after the start of an orderly shutdown at which the remaining connections are cut off.
    package var endPatience = TimeAmount.seconds(3)
    /// The highest number of bytes in the bodies that are being received on all connections.
    package var bodyBytes = 64 << 20
    /// The highest number of bytes in the bodies that are being received from one address.
    package var bodyBytesOfAddress = 8 << 20
    /// The highest number of bytes in the bodies that are being received from all strangers. A body for
    /// another instance is read before its sender is known.
    package var bodyBytesOfStrangers = 8 << 20

    /// Makes the default limits for a number of connections.
    ///
    /// - Parameter total: The highest number of connections, at least 16.
    package init(total: Int) {
        precondition(total >= 16, "a server needs some connections")
        self.total = total
        strangers = min(4096, total / 2)
    }

    /// The divisor of the share of one site. Once more than half of the places are taken, a site has at most
    /// an eighth of them.
    static let siteShare = 8
    /// The divisor of the share of one network. Once more than half of the places are taken, a network has at
    /// most a quarter of them.
    static let networkShare = 4

    /// Returns limits with as many connections as the process has descriptors for. It leaves some for the
    /// store and for other uses.
    ///
    /// - Parameter perConnection: The descriptors that one connection may take: 2 when its requests may be
    ///   forwarded to another instance.
    static func fitting(descriptors: Int, perConnection: Int) -> ConnectionLimits {
        let reserve = min(512, max(48, descriptors / 8))
        return ConnectionLimits(total: min(200_000, max(16, (descriptors - reserve) / perConnection)))
    }
}
