/// A buffer that splits a stream of bytes into packets, however the stream is cut. A value; holds at most one
/// packet.
///
/// H4 has no marks between packets: a reader out of step cannot find the start of the next packet. The
/// reassembler therefore gets in step only at the answer to Reset, the first command that a host sends. It
/// drops all bytes before that: the remaining answers to another program. Once in step, a wrong type byte is
/// an error, after which the stream must be opened anew.
package struct H4Reassembler: Sendable {
    private var pending: [UInt8] = []
    private var isInStep: Bool
    /// The number of bytes before the first packet.
    package private(set) var droppedByteCount = 0

    /// The answer to Reset: event, Command Complete, 4 bytes: the number of commands that may follow, Reset,
    /// status.
    private static let answerToReset: [UInt8?] = [0x04, 0x0E, 0x04, nil, 0x03, 0x0C, nil]

    package init(isInStep: Bool = false) { self.isInStep = isInStep }

    package var pendingByteCount: Int { pending.count }

    /// Throws: ``BLEError/Kind/failing`` for a byte that begins no packet; packets before it in the same call
    /// are lost.
    package mutating func take(_ bytes: some Collection<UInt8>) throws(BLEError) -> [HCIPacket] {
        pending += bytes
        if !isInStep { step() }
        guard isInStep else { return [] }
        var packets: [HCIPacket] = []
        var at = 0
        while let first = pending[at...].first {
            guard let kind = HCIPacket.Kind(rawValue: first) else {
                let byte = String(first, radix: 16)
                pending = []
                throw BLEError(
                    .failing,
                    "expected the type of an HCI packet, 01 to 05, not \(byte): is it H4, at this speed?")
            }
            let rest = pending[(at + 1)...]
            guard rest.count >= kind.headerByteCount else { break }
            let count = kind.headerByteCount + kind.payloadByteCount(rest)
            guard rest.count >= count else { break }
            packets.append(HCIPacket(kind, Array(rest.prefix(count))))
            at += 1 + count
        }
        pending.removeFirst(at)
        return packets
    }

    /// Drops the bytes before the answer to Reset.
    private mutating func step() {
        let answer = H4Reassembler.answerToReset
        let starts = pending.indices.dropLast(answer.count - 1)
        let start = starts.first { at in
            zip(pending[at...], answer).allSatisfy { byte, wanted in wanted.map { $0 == byte } ?? true }
        }
        isInStep = start != nil
        // The last bytes may be the beginning of the answer.
        let drop = start ?? max(0, pending.count - answer.count + 1)
        droppedByteCount += drop
        pending.removeFirst(drop)
    }
}
