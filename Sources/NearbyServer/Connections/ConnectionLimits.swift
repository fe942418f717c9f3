import NIOCore

/// The bounds of a server's connections and of the bodies that they carry.
///
/// A *stranger* is a connection on which nobody has shown a known key or device yet.
package struct ConnectionLimits: Sendable {
    /// Connections at most.
    package var total: Int
    /// Strangers at most.
    package var strangers: Int
    /// A stranger sends a whole request within this time of its connection or its last answer, TLS handshake included.
    package var strangerPatience = TimeAmount.seconds(10)
    /// A connection that is known is closed after so long without a request.
    package var idlePatience = TimeAmount.seconds(60)
    /// A whole body comes within this time of the head of its request.
    package var bodyPatience = TimeAmount.seconds(15)
    /// A client takes some of what was sent to it within this time.
    package var writePatience = TimeAmount.seconds(30)
    /// A closing connection is read so long, so that the last answer is not lost by a reset (RFC 9112 §9.6).
    package var lingerPatience = TimeAmount.seconds(1)
    /// So long after an orderly end began, connections are cut off.
    package var endPatience = TimeAmount.seconds(3)
    /// Bytes of bodies under way, of all connections.
    package var bodyBytes = 64 << 20
    /// Bytes of bodies under way, of one address.
    package var bodyBytesOfAddress = 8 << 20
    /// Bytes of bodies under way, of all strangers: a body that is for another instance is read before anybody knows who sends it.
    package var bodyBytesOfStrangers = 8 << 20

    /// - Parameter total: at least 16.
    package init(total: Int) {
        precondition(total >= 16, "a server needs some connections")
        self.total = total
        strangers = min(4096, total / 2)
    }

    /// Once more than half of the places are taken, one site has at most an eighth of them.
    static let siteShare = 8
    /// Once more than half of the places are taken, one network has at most a quarter of them.
    static let networkShare = 4

    /// As many connections as the process has descriptors for, besides those of the store and of other uses.
    ///
    /// - Parameter perConnection: descriptors that one connection may take: 2 when it may be forwarded to another instance.
    static func fitting(descriptors: Int, perConnection: Int) -> ConnectionLimits {
        let reserve = min(512, max(48, descriptors / 8))
        return ConnectionLimits(total: min(200_000, max(16, (descriptors - reserve) / perConnection)))
    }
}
