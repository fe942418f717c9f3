import FoundationEssentials
import Hummingbird
import NIOCore
import Nearby
import NearbyService
import NearbyWire

extension Response {
    init(_ status: HTTPResponse.Status, json value: some Encodable) {
        self.init(
            status: status,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: WireCoding.encode(value))))
    }

    /// There is nothing at this path, or it is asked for in another way (RFC 9110 §15.5.6).
    ///
    /// - Parameter methods: that the paths take that there are.
    init(nothingAt path: String, methods: [String: String]) {
        guard let method = methods[path] else {
            self.init(.notFound, json: WireRefusal("there is nothing at this path"))
            return
        }
        self.init(.methodNotAllowed, json: WireRefusal("\(path) takes \(method) alone"))
        headers[.allow] = method
    }

    /// One line, and the status that goes with it.
    init(_ refusal: ServiceRefusal) {
        self.init(refusal.status, json: WireRefusal(refusal.description))
        switch refusal {
        case .tooMuch(_, let time): headers[.retryAfter] = "\(max(1, Int(time.inSeconds.rounded(.up))))"
        case .unknown: headers[.wwwAuthenticate] = "Bearer"
        case .malformed, .incomplete, .unavailable, .elsewhere: break
        }
    }
}

extension Response {
    /// One line, and the status that goes with it. The connection closes after it.
    init(_ failure: BodyFailure) {
        switch failure {
        case .tooLarge:
            self.init(
                .contentTooLarge, json: WireRefusal("a body has at most \(Routes.largestBody) bytes"))
        case .late:
            self.init(.requestTimeout, json: WireRefusal("the body did not come in time: send it again"))
        case .noRoom:
            self.init(.serviceUnavailable, json: WireRefusal("too many bodies are on their way: again later"))
            headers[.retryAfter] = "1"
        case .noRoomForAddress:
            self.init(
                .tooManyRequests,
                json: WireRefusal("too many bodies of this address are on their way: again later"))
            headers[.retryAfter] = "1"
        }
    }
}

extension ServiceRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .unknown: .unauthorized
        case .incomplete: .conflict
        case .tooMuch: .tooManyRequests
        case .unavailable: .serviceUnavailable
        // Another instance asked: it looks again where the project is. Clients never see it.
        case .elsewhere: .misdirectedRequest
        }
    }
}
