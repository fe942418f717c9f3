import HTTPTypes
import Hummingbird
import NIOCore
import NearbyService

/// The context of each request.
struct ServerContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the client, without its port.
    var address: String
    /// True if another instance forwarded the request.
    var isForwarded = false
    /// True if the connection ends at the client, and not at a proxy or another instance.
    var isDirect = true
    /// The connection that the request came on.
    let connection: Connection?
    /// The whole body if it came with the head; `nil` if it is still to be read.
    var body: ByteBuffer?

    init(source: ApplicationRequestContextSource) { self.init(source: source, on: Connection.current) }

    init(source: ApplicationRequestContextSource, on connection: Connection?) {
        coreContext = .init(source: source)
        address = connection?.peerAddress ?? source.channel.remoteAddress?.ipAddress ?? "local"
        self.connection = connection
    }
}

extension Request {
    /// The text after `Authorization: Bearer`; `nil` if there is none.
    var bearer: Substring? {
        // Letters of either case (RFC 9110 §11.1).
        guard let value = headers.value(of: .authorization),
            value.hasPrefix("Bearer ") || value.lowercased().hasPrefix("bearer ")
        else { return nil }
        // One blank or more (RFC 9110 §11.4).
        return Substring(value.utf8.dropFirst(7).drop { $0 == UInt8(ascii: " ") })
    }

    /// The client's name for this request, without quotation marks; `nil` if it has none.
    var idempotencyName: String? {
        headers[.idempotencyKey].map { text in
            text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
                ? String(text.dropFirst().dropLast()) : text
        }
    }

    /// True if the request announces a body.
    var hasBody: Bool { headers[.transferEncoding] != nil || headers[.contentLength] ?? "0" != "0" }

    /// Reads the whole body. Nothing of it is read before.
    ///
    /// - Throws: ``BodyFailure``.
    func wholeBody(
        _ context: ServerContext, upTo limit: Int = Routes.largestBody
    ) async throws -> ByteBuffer {
        try checkContent()
        if let body = context.body {
            guard body.readableBytes <= limit else { throw BodyFailure.tooLarge(limit) }
            return body
        }
        if let length = headers.value(of: .contentLength).flatMap({ Int($0) }), length > limit {
            throw BodyFailure.tooLarge(limit)
        }
        context.connection?.wantBody()
        do {
            return try await body.collect(upTo: limit)
        } catch is NIOTooManyBytesError {
            throw BodyFailure.tooLarge(limit)
        }
    }

    /// Checks coding and type of the body. A request that names no type means JSON.
    private func checkContent() throws(BodyFailure) {
        if headers.contains(.contentEncoding) {
            let codings = headers[values: .contentEncoding].flatMap { $0.split(separator: ",") }
                .map { $0.filter { !$0.isWhitespace } }
                .filter { !["", "identity"].contains($0.lowercased()) }
            if !codings.isEmpty { throw .coded(codings.joined(separator: ", ")) }
        }
        for type in headers[values: .contentType] where type != "application/json" {
            let name = type.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace }
            guard name == "application/json" else { throw .otherType(type) }
        }
    }
}

extension HTTPFields {
    /// Returns what the subscript returns. The subscript joins the values even if there is one alone.
    func value(of name: HTTPField.Name) -> String? {
        let values = self[values: name]
        return values.count > 1 ? self[name] : values.first
    }
}
