// Any floats as sound to ggwave's receiver, in chunks of any size, alone and over a message: reports or
// nothing, never a trap.
import AcousticModem

private let idle = Receiver(profiles: WaveformProfile.ggwave)
private let fixed = Receiver(profiles: [
    .ggwave(GGWaveProtocol(tones: .monoTone, speed: .fastest), fixedByteCount: 2, isScrambled: true)
])
private let message = try! Transmitter(profile: .named("ggwave-audible-fastest")!).waveform(of: [1, 2, 3])

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard let input = FuzzSound(bytes, count) else { return 0 }
    // The input again and again, over the message.
    let sound = (0..<message.count + 20_000).map { index in
        input.floats[index % input.floats.count] + (index < message.count ? message[index] : 0)
    }
    for receiver in [idle, fixed] {
        let reports = input.reports(of: sound, from: receiver)
        precondition(reports.allSatisfy { (1...140).contains($0.token.count) && !$0.isChecked })
    }
    return 0
}
