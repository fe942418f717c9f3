import NIOCore
import NearbyService

extension IPAddress {
    /// The address of a Unix socket is none: nil.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        self.init(text)
    }
}
