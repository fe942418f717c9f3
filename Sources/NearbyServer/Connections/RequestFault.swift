import NIOHTTP1

/// How a request is written is wrong, whatever it asks for. It is answered, and then the connection closes.
enum RequestFault: Error, Hashable {
    /// HTTP/1.1 asks for one `Host`, and this many came (RFC 9112 §3.2).
    case hosts(Int)
    /// A `Host` that is no name or address.
    case badHost
    /// A target that is none of this method.
    case badTarget
    /// A method that asks for a proxy.
    case tunnel
    /// A transfer coding beside chunked (RFC 9112 §6.1).
    case transferCoding
    /// A transfer coding in a version that has none.
    case oldTransferCoding
    /// An expectation other than `100-continue` (RFC 9110 §10.1.1).
    case expectation
    /// A method that nobody knows.
    case unknownMethod
    /// A version of HTTP that is spoken otherwise.
    case version
    /// Fields of a head with too many bytes.
    case largeHead
    /// No request of HTTP/1.1 at all.
    case syntax

    /// Says which fault the parser has found.
    init(_ error: HTTPParserError) {
        switch error {
        case .invalidMethod: self = .unknownMethod
        case .invalidVersion: self = .version
        case .headerOverflow: self = .largeHead
        case .invalidURL, .invalidHost, .invalidPort, .invalidPath, .invalidQueryString, .invalidFragment:
            self = .badTarget
        default: self = .syntax
        }
    }

    /// The status of its answer.
    var status: Int {
        switch self {
        case .hosts, .badHost, .badTarget, .oldTransferCoding, .syntax: 400
        case .expectation: 417
        case .largeHead: 431
        case .tunnel, .transferCoding, .unknownMethod: 501
        case .version: 505
        }
    }

    /// One line: what was expected, and what came.
    var line: String {
        switch self {
        case .hosts(0): "a request has a Host header, and this one has none"
        case .hosts(let count): "a request has one Host header, and this one has \(count)"
        case .badHost: "Host is a name or an address, and perhaps a port"
        case .badTarget: "the target of a request is a path, and '%' stands before two hexadecimal digits"
        case .tunnel: "this server is no proxy"
        case .transferCoding: "Transfer-Encoding is chunked and nothing else"
        case .oldTransferCoding: "HTTP/1.0 has no Transfer-Encoding: send Content-Length"
        case .expectation: "Expect is 100-continue and nothing else"
        case .unknownMethod: "the methods are GET, HEAD, POST and OPTIONS"
        case .version: "this server speaks HTTP/1.1"
        case .largeHead: "a request has at most 80 KiB of request line and headers, and at most 1000 headers"
        case .syntax: "this is no request of HTTP/1.1"
        }
    }
}
