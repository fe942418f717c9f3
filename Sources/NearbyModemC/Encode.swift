// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem

@c @implementation public func nbm_encode(
    _ profile: UnsafePointer<CChar>?, _ sampleRateHz: UInt32, _ lane: UInt32,
    _ token: UnsafePointer<UInt8>?, _ tokenBytes: Int, _ samples: UnsafeMutablePointer<Float>?,
    _ capacity: Int, _ sampleCount: UnsafeMutablePointer<Int>?
) -> nbm_result {
    result { () throws(Refusal) in
        guard let sampleCount else { throw .null("sample_count") }
        let profile = try SoundOptions.profile(profile)
        let rate = try SoundOptions.sampleRate(sampleRateHz, for: [profile])
        let transmitter = Transmitter(
            profile: profile, lane: try SoundOptions.lane(lane), sampleRateHz: Double(rate))
        let token = try SoundOptions.token(token, tokenBytes, for: profile)
        let waveform = try waveform(of: token, by: transmitter)
        sampleCount.pointee = waveform.count
        guard let samples else { return }
        guard capacity >= waveform.count else {
            throw Refusal(NBM_ERROR_BUFFER, "\(waveform.count) samples, and there is room for \(capacity)")
        }
        for (n, sample) in waveform.enumerated() { samples[n] = sample }
    }
}

private func waveform(of token: [UInt8], by transmitter: Transmitter) throws(Refusal) -> [Float] {
    do {
        return try transmitter.waveform(of: token)
    } catch {
        throw Refusal(NBM_ERROR_TOKEN_LENGTH, "\(error)")
    }
}
