// Any floats as sound of two tones, at any rate, in chunks of any size: reports or nothing, never a trap.
import AcousticModem

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard let input = FuzzSound(bytes, count), let first = input.floats.first, let last = input.floats.last
    else {
        return 0
    }
    let baud = Double(10 + first.bitPattern % 4791)
    guard let profile = try? UARTProfile(baud: baud, markHz: last.isNormal ? Double(last) : nil) else {
        return 0
    }
    // More than the time to a decision.
    let reports = input.reports(
        of: input.repeated(filling: 12_000), from: Receiver(profiles: [WaveformProfile(profile)]))
    precondition(reports.allSatisfy { (1...4096).contains($0.token.count) && !$0.isChecked })
    return 0
}
