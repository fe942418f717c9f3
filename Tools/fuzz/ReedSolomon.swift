// Any bytes as a received word with erasures: a codeword within reach or nothing, never a trap.
import Coding

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count >= 3 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    let code = ReedSolomon(parityCount: 1 + Int(input[0]) % 60)
    let erasureCount = min(Int(input[1]) % 16, count - 2)
    let erasures = input[2..<2 + erasureCount].map { Int(Int8(bitPattern: $0)) }
    let word = Array(input[(2 + erasureCount)...])
    if let decoded = code.decode(word, erasures: erasures) {
        let messageCount = word.count - code.parityCount
        precondition(code.parity(of: Array(decoded[..<messageCount])) == Array(decoded[messageCount...]))
        let errorCount = word.indices.count { word[$0] != decoded[$0] && !erasures.contains($0) }
        precondition(2 * errorCount <= code.parityCount)
    }
    return 0
}
