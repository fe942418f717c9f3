import Crypto
import NIOCore
import NearbyService

/// One file of a web page, unpacked and packed.
struct WebFile: Sendable {
    /// The bytes of a file in one coding.
    struct Representation: Sendable {
        let body: ByteBuffer
        /// The entity tag, with quotation marks. It depends on the bytes, so a packed file has another tag
        /// than the unpacked one.
        let tag: String

        init(_ bytes: [UInt8]) {
            body = ByteBuffer(bytes: bytes)
            tag = "\"\(Hex.text(SHA256.hash(data: bytes).prefix(16)))\""
        }
    }

    /// The value of `Content-Type`.
    let type: String
    private var packed: [ContentCoding: Representation] = [:]
    private let plain: Representation

    init(type: String, _ bytes: [UInt8]) { (self.type, plain) = (type, Representation(bytes)) }

    /// Adds a packed version.
    ///
    /// - Parameter bytes: The packed bytes of the same file.
    mutating func add(_ bytes: [UInt8], packedBy coding: ContentCoding) {
        packed[coding] = Representation(bytes)
    }

    /// Returns the version that a client likes best.
    ///
    /// - Parameter accepted: The values of the client's `Accept-Encoding`.
    func representation(for accepted: [String]) -> (coding: ContentCoding, Representation) {
        let coding = ContentCoding.preferred(accepted, among: packed.keys)
        return packed[coding].map { (coding, $0) } ?? (.identity, plain)
    }

    /// True if the answer depends on the codings that a client accepts.
    var isPacked: Bool { !packed.isEmpty }

    /// Returns the content type for a file name; `nil` if a file of this name is no part of a web page and is
    /// not served.
    static func type(ofName name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), name.first != ".",
            name.utf8.allSatisfy(isPlain)
        else { return nil }
        return types[String(name[dot...])]
    }

    /// The content types by suffix. Browsers run and compile nothing of another type.
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
