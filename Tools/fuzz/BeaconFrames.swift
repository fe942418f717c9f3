// Any bytes as an Eddystone frame, and as an advertisement that may have beacons of each kind in it: what is
// taken comes back when it is written.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    if let frame = try? EddystoneFrame(input.span) { check(frame, of: Array(input)) }
    var reader = Advertisement(input.span).structures
    while let structure = reader.next() {
        do throws(BeaconRejection) {
            if let beacon = try Beacon(structure) { writeAndRead(beacon) }
        } catch {
            precondition(!error.description.isEmpty)
        }
    }
    return 0
}

/// A frame's bytes are those it was read from; but for what is reserved in a UID.
func check(_ frame: EddystoneFrame, of input: [UInt8]) {
    guard let written = frame.bytes else {
        guard case .unknown(let type, let count) = frame else { preconditionFailure("it is known") }
        precondition(type == input[0] && count == input.count)
        return
    }
    switch frame {
    case .uid: precondition(written == input.prefix(18) + [0, 0])
    case .url(let url):
        precondition(written == input)
        let again = try? EddystoneURL(url.text, txPowerAtZeroMetersDBm: url.txPowerAtZeroMetersDBm)
        precondition(again?.text == url.text)
    default: precondition(written == input)
    }
}

func writeAndRead(_ beacon: Beacon) {
    if case .eddystone(.unknown) = beacon { return }
    var composer = AdvertisementComposer()
    do {
        try composer.append(beacon)
    } catch {
        preconditionFailure("a beacon fits: \(error)")
    }
    var (reader, last) = (Advertisement(composer.bytes.span).structures, Beacon?.none)
    while let structure = reader.next() { last = (try? Beacon(structure)) ?? last }
    precondition(last == beacon)
}
