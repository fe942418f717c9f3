// Any bytes as a stream of events: the same events however it is cut, within the limit, never a trap.

private func events(_ chunks: [ArraySlice<UInt8>], limit: Int) -> (events: [ServerEvent], isWhole: Bool) {
    var parser = EventParser(limit: limit)
    var events: [ServerEvent] = []
    for chunk in chunks {
        do { events += try parser.take(chunk) } catch { return (events, false) }
    }
    return (events, true)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 2 else { return 0 }
    let (size, limit) = (1 + Int(bytes[0]) % 17, 1 + Int(bytes[1]))
    let input = Array(UnsafeBufferPointer(start: bytes + 2, count: count - 2))
    let pieces = stride(from: 0, to: input.count, by: size).map {
        input[$0..<min($0 + size, input.count)]
    }
    let bytewise = input.indices.map { input[$0...$0] }
    let (whole, cut, single) = (
        events([input[...]], limit: limit), events(pieces, limit: limit), events(bytewise, limit: limit)
    )
    precondition(cut.isWhole == whole.isWhole && single.isWhole == whole.isWhole)
    // What came before a line that is too long is lost with its chunk: the others have it.
    precondition(single.events.starts(with: cut.events) && cut.events.starts(with: whole.events))
    if whole.isWhole { precondition(whole.events == single.events) }
    for event in single.events { precondition(event.data.count <= limit && !event.id.utf8.contains(0)) }
    return 0
}
