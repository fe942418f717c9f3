// Any bytes as a frame that was heard: a token, bytes by sound, or nothing; what is taken is sent again as it
// came.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let frame = Array(UnsafeBufferPointer(start: bytes, count: count))
    switch Sighting.Payload(frame: frame) {
    case .token(let token)?:
        precondition(count == Token.byteCount && token.bytes == frame)
        precondition(token.description.utf8.count == 11)
    case .audioBytes(let bytes)?:
        precondition(count > Token.byteCount && AudioBytes.byteCounts.contains(bytes.bytes.count))
    case .sealed(let sealed)?: precondition(SealedFrame.byteCounts.contains(count) && sealed.bytes == frame)
    case nil: return 0
    }
    precondition(Sighting.Payload(frame: frame)!.frame == frame)
    return 0
}
