import Hummingbird
import NearbyService

extension OwnOrigin {
    /// Returns the page from which a request comes.
    func origin(of request: Request, _ context: ServerContext) -> RequestOrigin {
        if context.isForwarded { return .checked }
        guard let said = request.headers[.origin] else { return .none }
        let origin = said.lowercased()
        return isOwn(origin, host: request.head.authority) ? .own(origin) : .other(origin)
    }
}
