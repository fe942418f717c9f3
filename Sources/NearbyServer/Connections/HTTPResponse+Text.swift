import HTTPTypes
import NIOCore
import NIOHTTP1

extension HTTPResponse {
    /// Returns this answer as HTTP/1.1 (RFC 9112 §4), with a body of the length that it names.
    func text(with body: ByteBuffer) -> ByteBuffer {
        let status = HTTPResponseStatus(statusCode: status.code, reasonPhrase: status.reasonPhrase)
        var head: [UInt8] = []
        head.reserveCapacity(256)
        head.append("HTTP/1.1 ")
        head.append(String(status.code))
        head.append(UInt8(ascii: " "))
        head.append(status.reasonPhrase)
        head.endLine()
        for field in headerFields {
            head.append(field.name.rawName)
            head.append(UInt8(ascii: ":"))
            head.append(UInt8(ascii: " "))
            head.append(field.value)
            head.endLine()
        }
        head.endLine()
        var text = ByteBuffer()
        text.reserveCapacity(head.count + body.readableBytes)
        text.writeBytes(head)
        text.writeImmutableBuffer(body)
        return text
    }
}

extension [UInt8] {
    /// Appends a text as UTF-8. Small parts take fewer instructions so than in a string or a `ByteBuffer`.
    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(contentsOf: $0) }
    }

    fileprivate mutating func endLine() {
        append(UInt8(ascii: "\r"))
        append(UInt8(ascii: "\n"))
    }
}
