// Any messages of the kernel's management before a host: it never traps, and asks one thing at a time.
import BLEMedium
import Nearby

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    var rest = Array(UnsafeBufferPointer(start: bytes, count: count))[...]
    var host = ManagementHost(adapter: 0)
    var now = Instant.start
    let data = TokenAdvertisement().data(of: Token(bits: 1).bytes, room: 28, hasFlags: false)
    let order = RadioOrder(
        advertising: .init([.init(plain: nil, bare: data)], epoch: 1), scan: .foreground,
        patterns: [.init(type: 0x16, [0xF3, 0xFE])])
    _ = host.carryOut(order, now: now)
    while let size = rest.popFirst() {
        var message = Array(rest.prefix(Int(size)))
        rest = rest.dropFirst(Int(size))
        // So that most of them are what they say.
        if message.count >= 6 {
            let length = UInt16(message.count - 6)
            (message[1], message[2], message[3]) = (0, 0, 0)
            (message[4], message[5]) = (UInt8(length & 0xFF), UInt8(length >> 8))
        }
        now = now + .milliseconds(Int(size) * 20)
        let actions = host.received(message, now: now)
        precondition(actions.count { if case .send = $0 { true } else { false } } <= 1)
        for case .heard(let report) in actions { precondition(report.data.count <= message.count) }
        _ = host.advance(to: now)
    }
    return 0
}
