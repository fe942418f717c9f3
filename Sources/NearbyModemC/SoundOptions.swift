// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem

/// The checks of the options that senders and receivers share.
enum SoundOptions {
    private static let rates = 8_000...384_000

    static func format(_ format: nbm_format) throws(Refusal) -> SampleFormat {
        switch format {
        case nbm_format(0), NBM_FORMAT_S16: .s16
        case NBM_FORMAT_S24_PACKED: .s24packed
        case NBM_FORMAT_S24: .s24
        case NBM_FORMAT_S32: .s32
        case NBM_FORMAT_FLOAT: .float
        default: throw Refusal(NBM_ERROR_FORMAT, "\(format.rawValue) is no NBM_FORMAT")
        }
    }

    static func profile(_ name: UnsafePointer<CChar>?) throws(Refusal) -> WaveformProfile {
        let name = try text(name, or: WaveformProfile.dsss.name, "profile")
        guard let profile = ProfileList.all.first(where: { $0.isNamed(name) }) else {
            throw Refusal(
                NBM_ERROR_PROFILE,
                "there is no profile '\(name)', but \(ProfileList.all.map { $0.name }.joined(separator: ", "))"
            )
        }
        return profile
    }

    /// Returns the checked sample rate; 0 stands for 48 kHz.
    static func sampleRate(_ hertz: UInt32, for profiles: [WaveformProfile]) throws(Refusal) -> Int {
        let rate = hertz == 0 ? Int(Receiver.sampleRateHz) : Int(clamping: hertz)
        guard rates.contains(rate) else {
            throw Refusal(NBM_ERROR_SAMPLE_RATE, "sample rates are 8000 to 384000 Hz, not \(hertz)")
        }
        for profile in profiles where Double(rate) < profile.minimumSampleRateHz {
            let least = Int(profile.minimumSampleRateHz.rounded(.up))
            throw Refusal(NBM_ERROR_SAMPLE_RATE, "\(profile.name) needs \(least) Hz, not \(rate)")
        }
        return rate
    }

    static func channelCount(_ count: UInt32, default: Int) throws(Refusal) -> Int {
        let channels = count == 0 ? `default` : Int(clamping: count)
        guard (1...8).contains(channels) else {
            throw Refusal(NBM_ERROR_CHANNELS, "there are 1 to 8 channels, not \(count)")
        }
        return channels
    }

    static func lane(_ lane: UInt32) throws(Refusal) -> Int {
        guard lane < 4 else { throw Refusal(NBM_ERROR_RANGE, "lanes are 0 to 3, not \(lane)") }
        return Int(lane)
    }

    static func seconds(_ seconds: Double, _ name: String) throws(Refusal) -> Double {
        guard (0...3600).contains(seconds) else {
            throw Refusal(NBM_ERROR_RANGE, "\(name) is 0 to 3600, not \(seconds)")
        }
        return seconds
    }

    static func token(
        _ pointer: UnsafePointer<UInt8>?, _ count: Int, for profile: WaveformProfile
    ) throws(Refusal) -> [UInt8] {
        guard profile.tokenByteCounts.contains(count) else {
            let (least, most) = (profile.tokenByteCounts.lowerBound, profile.tokenByteCounts.upperBound)
            throw Refusal(
                NBM_ERROR_TOKEN_LENGTH, "\(profile.name) carries \(least) to \(most) bytes, not \(count)")
        }
        return try bytes(pointer, count, "token")
    }

    /// Returns true if `count` frames can be in memory at all. Realtime-safe.
    static func isPossible(_ count: Int, frameBytes: Int) -> Bool {
        let (_, isTooMuch) = count.multipliedReportingOverflow(by: frameBytes)
        return count >= 0 && !isTooMuch
    }
}

@c @implementation public func nbm_format_bytes(_ format: nbm_format) -> Int {
    guard format != nbm_format(0), let format = try? SoundOptions.format(format) else { return 0 }
    return format.bytesPerSample
}
