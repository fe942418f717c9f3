// Any bytes, cut anywhere, as what a controller sends: the same packets as in one piece, or the same error;
// never more held than one packet. The first byte says where to cut, and whether it begins in step.
import BLEMedium

private func packets(of bytes: ArraySlice<UInt8>, by size: Int, isInStep: Bool) -> (
    [HCIPacket], isBroken: Bool
) {
    var reassembler = H4Reassembler(isInStep: isInStep)
    var packets: [HCIPacket] = []
    var rest = bytes
    while !rest.isEmpty {
        do throws(BLEError) {
            packets += try reassembler.take(rest.prefix(size))
        } catch {
            return (packets, true)
        }
        rest = rest.dropFirst(size)
        precondition(reassembler.pendingByteCount < 65_540)
    }
    return (packets, false)
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 0 else { return 0 }
    let isInStep = bytes[0] & 1 == 1
    let input = Array(UnsafeBufferPointer(start: bytes + 1, count: count - 1))[...]
    let cut = packets(of: input, by: 1 + Int(bytes[0] >> 1), isInStep: isInStep)
    let single = packets(of: input, by: 1, isInStep: isInStep)
    precondition(cut.isBroken == single.isBroken && single.0.starts(with: cut.0))
    precondition(cut.isBroken || cut.0 == single.0)
    for packet in single.0 { precondition(HCIPacket(h4: packet.h4[...]) == packet) }
    return 0
}
