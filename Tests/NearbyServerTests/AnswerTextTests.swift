import HTTPTypes
import NIOCore
import Testing

@testable import NearbyServer

/// Tests of answers that are sent in one write.
struct AnswerTextTests {
    /// The status has the phrase that NIO's encoder writes, which is not that of the newest standard.
    @Test(arguments: [(200, "OK"), (404, "Not Found"), (413, "Payload Too Large"), (599, "")])
    func anAnswerIsWrittenAsByTheEncoder(code: Int, phrase: String) {
        let fields: HTTPFields = [.contentType: "application/json", .contentLength: "2", .vary: "Origin"]
        let text = HTTPResponse(status: .init(code: code), headerFields: fields)
            .text(with: ByteBuffer(string: "{}"))
        #expect(
            String(buffer: text) == """
                HTTP/1.1 \(code) \(phrase)\r
                Content-Type: application/json\r
                Content-Length: 2\r
                Vary: Origin\r
                \r
                {}
                """)
    }
}
