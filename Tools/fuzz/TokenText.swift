// Any text as a token: a token of 1 to 32 bytes that shows as it was written, or one line of rejection.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    do {
        let token = try TokenArgument.bytes(hex: text)
        precondition((1...32).contains(token.count))
        precondition(TokenDisplay.hex(token) == text.lowercased())
    } catch {
        precondition(!error.description.contains("\n"))
    }
    if let token = try? TokenArgument.bytes(text: text) {
        precondition(token == Array(text.utf8))
        if let shown = TokenDisplay.text(token) { precondition(!JSONObject.quoted(shown).contains("\n")) }
    }
    return 0
}
