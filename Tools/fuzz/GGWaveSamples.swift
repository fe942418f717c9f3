// Any floats as sound to ggwave's receiver, in chunks of any size, alone and over a message: reports or nothing, never a
// trap.
import AcousticModem

private let idle = Receiver(profiles: WaveformProfile.ggwave)
private let fixed = Receiver(profiles: [
    .ggwave(GGWaveProtocol(tones: .monoTone, speed: .fastest), fixedByteCount: 2, isScrambled: true)
])
private let message = try! Transmitter(profile: .named("ggwave-audible-fastest")!).waveform(of: [1, 2, 3])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let floats = (0..<count / 4).map { index in
        Float(bitPattern: UnsafeRawPointer(bytes).loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
    }
    guard let first = floats.first else { return 0 }
    let chunk = 1 + Int(first.bitPattern % 5000)
    // The input again and again, over the message.
    let sound = (0..<message.count + 20_000).map { index in
        floats[index % floats.count] + (index < message.count ? message[index] : 0)
    }
    for var receiver in [idle, fixed] {
        var reports: [DecodeReport] = []
        for start in stride(from: 0, to: sound.count, by: chunk) {
            reports += receiver.process(Array(sound[start..<min(start + chunk, sound.count)]))
        }
        reports += receiver.finish()
        precondition(reports.allSatisfy { (1...140).contains($0.token.count) && !$0.isChecked })
    }
    return 0
}
