// A programme's bytes in any format, channels and chunks of any size, through a mixer and to a receiver:
// never a trap, and no sample of float goes beyond full scale that was within it, nor becomes none.
import AcousticModem

private let transmitter = Transmitter(profile: .dsssQuick)
private let idle = ChannelReceiver(profiles: [.dsssQuick], sampleRateHz: 48_000)

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count > 4 else { return 0 }
    let format = SampleFormat.allCases[Int(bytes[0]) % SampleFormat.allCases.count]
    let channelCount = 1 + Int(bytes[1] % 8)
    let chunk = 1 + Int(bytes[2]) * 4
    let mixer = TokenMixer(transmitter, format: format, channelCount: channelCount, seed: 1)
    do { try mixer.send([[bytes[3]]]) } catch { preconditionFailure("a token of one byte: \(error)") }
    // The input again and again, for longer than a block of the meter.
    let frameBytes = channelCount * format.bytesPerSample
    let frameCount = 2000
    var programme = (0..<frameCount * frameBytes).map { bytes[4 + $0 % (count - 4)] }
    var receiver = idle
    var (before, after) = ([Float](repeating: 0, count: chunk), [Float](repeating: 0, count: chunk))
    programme.withUnsafeMutableBytes { room in
        for start in stride(from: 0, to: frameCount, by: chunk) {
            let here = min(chunk, frameCount - start)
            let place = room.baseAddress! + start * frameBytes
            func read(_ samples: inout [Float]) {
                samples.withUnsafeMutableBufferPointer {
                    format.readChannel(
                        channelCount - 1, of: channelCount, place, into: .init(rebasing: $0[..<here]))
                }
            }
            read(&before)
            mixer.mix(place, count: here)
            read(&after)
            for n in 0..<here {
                let isKept = after[n].isNaN ? before[n].isNaN : abs(after[n]) <= max(1, abs(before[n]))
                precondition(isKept, "beyond full scale")
            }
            after.withUnsafeBufferPointer { _ = receiver.process(.init(rebasing: $0[..<here])) }
        }
    }
    return 0
}
