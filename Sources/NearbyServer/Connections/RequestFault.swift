import NIOHTTP1

/// A fault in the form of a request, whatever it asks for. The server answers it and then closes the
/// connection.
enum RequestFault: Error, Hashable {
    /// HTTP/1.1 requires one `Host`, and the request has this many (RFC 9112 §3.2).
    case hosts(Int)
    /// The `Host` is no name and no address.
    case badHost
    /// The target is not valid for this method.
    case badTarget
    /// The method asks for a proxy.
    case tunnel
    /// The request has a transfer coding besides chunked (RFC 9112 §6.1).
    case transferCoding
    /// The request has a transfer coding, which its version of HTTP does not have.
    case oldTransferCoding
    /// The request has an expectation other than `100-continue` (RFC 9110 §10.1.1).
    case expectation
    /// The method is unknown.
    case unknownMethod
    /// The version of HTTP is not supported.
    case version
    /// The head has too many bytes of fields.
    case largeHead
    /// The bytes are no request of HTTP/1.1.
    case syntax

    /// Converts an error of the parser to a fault.
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

    /// The status of the answer to this fault.
    var status: Int {
        switch self {
        case .hosts, .badHost, .badTarget, .oldTransferCoding, .syntax: 400
        case .expectation: 417
        case .largeHead: 431
        case .tunnel, .transferCoding, .unknownMethod: 501
        case .version: 505
        }
    }

    /// One line that says what was expected and what arrived.
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
