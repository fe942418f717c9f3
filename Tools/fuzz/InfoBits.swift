// Any bits as decoded info bits: a token of a length the class carries, or nothing.
import Coding

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    for tokenClass in TokenClass.allCases {
        if let token = TokenField.decode(input, tokenClass: tokenClass) { check(token) }
        // As the list decoder hands them over: as many as belong to the class, each 0 or 1.
        guard count > 0 else { continue }
        var bits = (0..<tokenClass.infoBitCount).map { input[$0 / 8 % count] >> UInt8($0 % 8) & 1 }
        bits.withUnsafeBufferPointer {
            if let token = TokenField.decode($0, tokenClass: tokenClass) { check(token) }
        }
        // And what was sent comes back.
        let token = Array(input.prefix(tokenClass.capacity))
        guard let sent = try? TokenField.encode(token), sent.count == tokenClass.infoBitCount else {
            continue
        }
        bits = sent
        precondition(bits.withUnsafeBufferPointer { TokenField.decode($0, tokenClass: tokenClass) } == token)
    }
    return 0
}

private func check(_ token: [UInt8]) { precondition((1...32).contains(token.count)) }
