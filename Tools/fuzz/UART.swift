// Any floats as sound of two tones, at any rate, in chunks of any size: reports or nothing, never a trap.
import AcousticModem

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let floats = (0..<count / 4).map { index in
        Float(bitPattern: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
    guard let first = floats.first, let last = floats.last else { return 0 }
    let baud = Double(10 + first.bitPattern % 4791)
    guard let profile = try? UARTProfile(baud: baud, markHz: last.isNormal ? Double(last) : nil) else {
        return 0
    }
    var receiver = Receiver(profiles: [WaveformProfile(profile)])
    let chunk = 1 + Int(first.bitPattern % 5000)
    // Again and again, so that it fills more than the time to a decision.
    let sound = (0..<max(1, 12_000 / floats.count)).flatMap { _ in floats }
    var reports: [DecodeReport] = []
    for start in stride(from: 0, to: sound.count, by: chunk) {
        reports += receiver.process(Array(sound[start..<min(start + chunk, sound.count)]))
    }
    reports += receiver.finish()
    precondition(reports.allSatisfy { (1...4096).contains($0.token.count) && !$0.isChecked })
    return 0
}
