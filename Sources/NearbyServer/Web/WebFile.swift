import Crypto
import NIOCore
import NearbyService

/// One file of a web page, as it is and packed.
struct WebFile: Sendable {
    /// Bytes that are sent as they are.
    struct Representation: Sendable {
        let body: ByteBuffer
        /// Another one for other bytes, quotation marks included: packed, a file has another one than as it is.
        let tag: String

        init(_ bytes: [UInt8]) {
            body = ByteBuffer(bytes: bytes)
            tag = "\"\(Hex.text(SHA256.hash(data: bytes).prefix(16)))\""
        }
    }

    /// As `Content-Type` has it.
    let type: String
    private var packed: [ContentCoding: Representation] = [:]
    private let plain: Representation

    init(type: String, _ bytes: [UInt8]) { (self.type, plain) = (type, Representation(bytes)) }

    /// - Parameter bytes: of the same file, packed.
    mutating func add(_ bytes: [UInt8], packedBy coding: ContentCoding) {
        packed[coding] = Representation(bytes)
    }

    /// What a client likes best.
    ///
    /// - Parameter accepted: values of its `Accept-Encoding`.
    func representation(for accepted: [String]) -> (coding: ContentCoding, Representation) {
        let coding = ContentCoding.preferred(accepted, among: packed.keys)
        return packed[coding].map { (coding, $0) } ?? (.identity, plain)
    }

    /// Whether the answer depends on what a client accepts.
    var isPacked: Bool { !packed.isEmpty }

    /// Nil for a name that is no file of a web page: with that it is not served.
    static func type(ofName name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), name.first != ".",
            name.utf8.allSatisfy(isPlain)
        else { return nil }
        return types[String(name[dot...])]
    }

    /// Browsers run and compile nothing of another type.
    private static let types = [
        ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
        ".mjs": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
        ".wasm": "application/wasm", ".webmanifest": "application/manifest+json",
        ".json": "application/json", ".svg": "image/svg+xml", ".png": "image/png",
        ".ico": "image/vnd.microsoft.icon", ".ts": "text/plain; charset=utf-8",
        ".txt": "text/plain; charset=utf-8",
    ]

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._".utf8.contains(byte)
        }
    }
}
