// Any floats as the sound of tones, in chunks of any size: reports or nothing, never a trap.
import AcousticModem

/// Both front ends of the family.
private let idle = Receiver(profiles: [.fsk, .fskTelephone])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let floats = (0..<count / 4).map { index in
        Float(bitPattern: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
    guard let first = floats.first else { return 0 }
    var receiver = idle
    // The input again and again, so that it fills more than a search window, in chunks the input chooses.
    let chunk = 1 + Int(first.bitPattern % 5000)
    let sound = (0..<max(1, 100_000 / floats.count)).flatMap { _ in floats }
    var reports: [DecodeReport] = []
    for start in stride(from: 0, to: sound.count, by: chunk) {
        reports += receiver.process(Array(sound[start..<min(start + chunk, sound.count)]))
    }
    reports += receiver.finish()
    precondition(reports.allSatisfy { (1...32).contains($0.token.count) })
    return 0
}
