import NIOCore
import NearbyService

extension IPAddress {
    /// Returns `nil` for the address of a Unix socket, which is no IP address.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }
}
