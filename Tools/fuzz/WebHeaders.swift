/// What anybody may say to a server with a web page: a line each of `Origin`, `Host`, and, as often as they
/// come, `If-None-Match` and
/// `Accept-Encoding`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzWebHeaders(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let (origin, host) = (lines[0].lowercased(), lines.dropFirst().first)
    for isSecure in [false, true] {
        guard OwnOrigin(isSecure: isSecure, named: AllowedOrigins()).isOwn(origin, host: host) else {
            continue
        }
        precondition(
            origin.hasPrefix("https://") || !isSecure, "a page that came in the clear is another one")
        guard let own = try? AllowedOrigins([origin]) else { fatalError("an origin of its own is one") }
        precondition(own.named == [origin], "and is written as browsers do")
    }
    let fields = Array(lines.dropFirst(2))
    if EntityTags.contain("\"tag\"", in: fields) {
        precondition(fields.contains { $0.utf8.contains(UInt8(ascii: "*")) || $0.contains("\"tag\"") })
    }
    for available in [[], [ContentCoding.gzip], [.brotli, .gzip]] {
        let coding = ContentCoding.preferred(fields, among: available)
        precondition(coding == .identity || available.contains(coding), "what is not there is not sent")
        let word = fields.joined(separator: ",").lowercased()
        precondition(
            coding == .identity || word.contains(coding.rawValue) || word.contains("*"),
            "nor what is not asked for")
    }
    return 0
}
