import NearbyWire

/// Lines from any program of this machine: refused in one line, or a request within its limits.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzEngineRequest(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let line = Array(UnsafeBufferPointer(start: start, count: count))
    do throws(WireError) {
        let request = try EngineRequest(line: line)
        precondition((1...64).contains(request.operation.count))
        precondition(request.content.count <= line.count)
        precondition(request.action == .subscribe || request.types.isEmpty)
    } catch {
        precondition(!error.description.contains("\n"), "one line")
    }
    return 0
}
