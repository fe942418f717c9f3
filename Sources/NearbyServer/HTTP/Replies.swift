import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Nearby
import NearbyService
import NearbyWire

extension Response {
    init(_ status: HTTPResponse.Status, json value: some Encodable) {
        self.init(status, body: WireCoding.encode(value))
    }

    /// A refused request is answered with one line.
    init(_ status: HTTPResponse.Status, json refusal: WireRefusal) { self.init(status, body: refusal.json) }

    /// The answer to a report.
    init(_ answer: WireAnswer) { self.init(.ok, body: answer.json) }

    private static let jsonHeaders: HTTPFields = [
        .contentType: "application/json", .cacheControl: "no-store",
    ]

    private init(_ status: HTTPResponse.Status, body: some Sequence<UInt8>) {
        let bytes = ByteBuffer(bytes: body)
        var headers = Response.jsonHeaders
        // Others follow: Date, Server, and those for web pages.
        headers.reserveCapacity(8)
        headers.append(HTTPField(name: .contentLength, value: String(bytes.readableBytes)))
        self.init(status: status, headers: headers, body: .init(byteBuffer: bytes))
    }

    /// An answer to a request that no route takes: there is nothing at its path, the path takes other methods
    /// (RFC 9110 §15.5.6), or the request asks for the methods (§9.3.7).
    ///
    /// - Parameter methods: The methods that each existing path takes.
    init(nothingFor request: Request, methods: [String: [String]]) {
        let path = request.uri.path
        let isOfServer = request.method == .options && path == "*"
        guard let known = isOfServer ? ["GET", "HEAD", "POST"] : methods[path] else {
            self.init(.notFound, json: WireRefusal("there is nothing at this path"))
            return
        }
        if request.method == .options {
            self.init(status: .noContent)
        } else {
            let line = "\(path) takes \(known.joined(separator: " and ")), not \(request.method.rawValue)"
            self.init(.methodNotAllowed, json: WireRefusal(line))
        }
        headers[.allow] = (known + ["OPTIONS"]).joined(separator: ", ")
    }

    /// The answer to a device that wants a stream while the server is ending.
    ///
    /// - Parameter seconds: The time after which the device may try again, here or elsewhere.
    init(endingFor seconds: Int) {
        self.init(
            .serviceUnavailable, json: WireRefusal("this server is ending: open the stream again later"))
        headers[.retryAfter] = "\(seconds)"
    }

    /// One line, and the status that goes with it.
    init(_ refusal: ServiceRefusal) {
        self.init(refusal.status, json: WireRefusal(refusal.description))
        switch refusal {
        case .tooMuch(_, let time): headers[.retryAfter] = "\(max(1, Int(time.inSeconds.rounded(.up))))"
        case .unknown: headers[.wwwAuthenticate] = "Bearer"
        case .unavailable: headers[.retryAfter] = "1"
        case .malformed, .foreign, .incomplete, .elsewhere: break
        }
    }
}

extension Response {
    /// Makes an answer with one line and the matching status. The connection closes after it.
    init(_ failure: BodyFailure) {
        switch failure {
        case .otherType(let type):
            self.init(
                .unsupportedMediaType,
                json: WireRefusal("Content-Type: expected application/json, came '\(type.prefix(80))'"))
            headers[.accept] = "application/json"
        case .coded(let coding):
            self.init(
                .unsupportedMediaType,
                json: WireRefusal("Content-Encoding: expected none, came '\(coding.prefix(80))'"))
            headers[.acceptEncoding] = "identity"
        case .tooLarge(let limit):
            self.init(.contentTooLarge, json: WireRefusal("a body here has at most \(limit) bytes"))
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

extension Response {
    /// Makes an answer with one line and the matching status. The connection closes after it.
    init(_ fault: RequestFault) {
        self.init(.init(code: fault.status), json: WireRefusal(fault.line))
    }
}

extension HTTPResponse {
    /// Completes an answer of Hummingbird, which answers unreadable requests with a status alone.
    ///
    /// - Returns: A body that says what is wrong; `nil` if this is another answer.
    mutating func explain(_ fault: RequestFault) -> ByteBuffer? {
        guard status == .badRequest, headerFields[.contentLength] == "0" else { return nil }
        let body = ByteBuffer(bytes: WireRefusal(fault.line).json)
        status = .init(code: fault.status)
        headerFields[.contentType] = "application/json"
        headerFields[.contentLength] = "\(body.readableBytes)"
        return body
    }
}

extension ServiceRefusal {
    fileprivate var status: HTTPResponse.Status {
        switch self {
        case .malformed: .badRequest
        case .unknown: .unauthorized
        case .foreign: .forbidden
        case .incomplete: .conflict
        case .tooMuch: .tooManyRequests
        case .unavailable: .serviceUnavailable
        // Another instance asked, and looks up again where the project is. Clients never see this status.
        case .elsewhere: .misdirectedRequest
        }
    }
}
