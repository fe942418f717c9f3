// Any bytes as opened frames of one sender, each 24 bytes at most, and what comes together of them as a
// bulletin: as a member who has the key might send them. What is taken is written again as it came.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    read(input)
    var (assembly, rest) = (Assembly(), input[...])
    while let first = rest.popFirst() {
        let frame = Array(rest.prefix(Int(first) % 26))
        rest = rest.dropFirst(frame.count)
        guard let fragment = Fragment(frame) else { continue }
        precondition(fragment.bytes == frame && fragment.index < fragment.count)
        if let whole = assembly.add(fragment) {
            precondition(whole.count <= Fragment.capacity && assembly.isEmpty)
            read(whole)
        }
    }
    return 0
}

func read(_ bytes: [UInt8]) {
    if let bulletin = Bulletin(bytes) {
        let written = bulletin.signedBytes(isSigned: bulletin.signature != nil)
        precondition(written.map { $0 + (bulletin.signature ?? []) } == bytes)
    }
    if let fragments = Fragment.split(bytes, sender: 1, generation: 2) {
        var assembly = Assembly()
        precondition(fragments.reversed().compactMap { assembly.add($0) } == [bytes])
    }
}
