import NIOCore
import NearbyService

extension IPAddress {
    /// Nil for the address of a Unix socket.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }
}
