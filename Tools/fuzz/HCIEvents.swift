// Any events before a host: it never traps, holds no more than it may, and goes on: after a reset is
// answered, all of it again. And any pieces of extended advertisements, in bounds.
import BLEMedium
import Nearby

private struct Steady: RandomNumberGenerator, Sendable {
    var state: UInt64 = 1
    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    var rest = Array(UnsafeBufferPointer(start: bytes, count: count))[...]
    var host = HCIHost(random: Steady())
    var reassembly = ExtendedReassembly()
    var now = Instant.start
    let data = TokenAdvertisement().data(of: Token(bits: 1).bytes, room: 31)
    let order = RadioOrder(
        advertising: .init([.init(plain: data, extended: data)], epoch: 1), scan: .background)
    _ = host.carryOut(order, now: now)
    while let size = rest.popFirst() {
        let packet = HCIPacket(.event, Array(rest.prefix(Int(size))))
        rest = rest.dropFirst(Int(size))
        now = now + .milliseconds(Int(size) * 20)
        for case .heard(let report) in host.received(packet, now: now) {
            precondition(report.data.count <= ExtendedReassembly.longest)
            for frame in TokenAdvertisement().frames(in: report.data) {
                precondition(TokenAdvertisement.frameByteCounts.contains(frame.count))
            }
        }
        if case .extendedReports(let pieces)? = HCIEvent(packet.bytes) {
            for piece in pieces { _ = reassembly.take(piece, now: now) }
        }
        precondition(reassembly.byteCount <= ExtendedReassembly.limit * ExtendedReassembly.longest)
        _ = host.advance(to: now)
    }
    return 0
}
