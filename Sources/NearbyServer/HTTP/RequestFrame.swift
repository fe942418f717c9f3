import Hummingbird
import NIOCore
import NearbyService

/// What comes with each request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Without its port.
    var address: String

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "local"
    }
}

extension Request {
    /// Of `Authorization: Bearer …`; nil when there is none.
    var bearer: Substring? {
        guard let value = headers[.authorization], value.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return value.dropFirst(7)
    }
}
