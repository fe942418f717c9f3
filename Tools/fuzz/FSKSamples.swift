// Any floats as the sound of tones, in chunks of any size: reports or nothing, never a trap.
import AcousticModem

/// Both front ends of the family.
private let idle = Receiver(profiles: [.fsk, .fskTelephone])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard let input = FuzzSound(bytes, count) else { return 0 }
    // More than a search window.
    let reports = input.reports(of: input.repeated(filling: 100_000), from: idle)
    precondition(reports.allSatisfy { (1...32).contains($0.token.count) })
    return 0
}
