// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem
import Signal

/// The checked values of `nbm_receiver_options`.
struct ReceiverSettings {
    let profiles: [WaveformProfile]
    let sampleRateHz: Int
    let channelCount: Int
    /// The channels that are listened to.
    let channels: Range<Int>
    let format: SampleFormat
    let nbmFormat: nbm_format

    init(_ options: nbm_receiver_options) throws(Refusal) {
        profiles = try ReceiverSettings.profiles(options)
        sampleRateHz = try SoundOptions.sampleRate(options.sample_rate_hz, for: profiles)
        channelCount = try SoundOptions.channelCount(options.channel_count, default: 1)
        channels = try ReceiverSettings.channels(options.channel, of: channelCount)
        format = try SoundOptions.format(options.format)
        nbmFormat = options.format == nbm_format(0) ? NBM_FORMAT_S16 : options.format
    }

    private static func channels(_ channel: UInt32, of count: Int) throws(Refusal) -> Range<Int> {
        if channel == .max { return 0..<count }
        guard channel < count else {
            throw Refusal(
                NBM_ERROR_CHANNELS,
                "channel \(channel) of \(count), counted from 0; or NBM_ALL_CHANNELS")
        }
        return Int(channel)..<Int(channel) + 1
    }

    private static func profiles(_ options: nbm_receiver_options) throws(Refusal) -> [WaveformProfile] {
        guard let names = options.profiles else { return [.dsss] }
        guard (1...64).contains(options.profile_count) else {
            throw Refusal(NBM_ERROR_RANGE, "1 to 64 profiles, not \(options.profile_count)")
        }
        var profiles: [WaveformProfile] = []
        for index in 0..<options.profile_count {
            guard let name = names[index] else { throw .null("a profile's name") }
            let profile = try SoundOptions.profile(name)
            if !profiles.contains(where: { $0.isNamed(profile.name) }) { profiles.append(profile) }
        }
        return profiles
    }
}

/// The object behind an `nbm_receiver`.
final class ReceiverObject {
    /// The number of frames taken at a time: 20 ms at the lowest delay, and little memory.
    private static let portion = 960

    let lastError = LastError()
    let sampleRateHz: Int
    let channelCount: Int
    let format: SampleFormat
    let nbmFormat: nbm_format
    private let settings: ReceiverSettings
    private var heard: HeardChannels
    private let samples: UnsafeMutableBufferPointer<Float>

    init(_ settings: ReceiverSettings) {
        (sampleRateHz, channelCount) = (settings.sampleRateHz, settings.channelCount)
        (format, nbmFormat, self.settings) = (settings.format, settings.nbmFormat, settings)
        heard = HeardChannels(settings)
        samples = .allocate(capacity: ReceiverObject.portion)
        samples.initialize(repeating: 0)
    }

    deinit { samples.deallocate() }

    static func at(_ handle: OpaquePointer) -> Unmanaged<ReceiverObject> {
        Unmanaged.fromOpaque(UnsafeRawPointer(handle))
    }

    var frameBytes: Int { channelCount * format.bytesPerSample }

    func push(
        _ frames: UnsafeRawPointer?, _ count: Int, _ listener: TokenListener
    ) throws(Refusal) {
        guard count != 0 else { return }
        guard let frames else { throw .null("frames") }
        guard SoundOptions.isPossible(count, frameBytes: frameBytes) else {
            throw Refusal(NBM_ERROR_RANGE, "so many frames are no memory's")
        }
        var (place, left) = (frames, count)
        while left > 0 {
            let count = min(left, samples.count)
            heard.process({ channelSamples($0, place, count) }, { tell($0, $1, $2, listener) })
            place += count * frameBytes
            left -= count
        }
    }

    /// Returns a channel's samples of some frames: the frames themselves where they are nothing else.
    private func channelSamples(
        _ channel: Int, _ frames: UnsafeRawPointer, _ count: Int
    ) -> UnsafeBufferPointer<Float> {
        let isAligned = Int(bitPattern: frames) % MemoryLayout<Float>.alignment == 0
        if format == .float, channelCount == 1, isAligned {
            return UnsafeBufferPointer(start: frames.assumingMemoryBound(to: Float.self), count: count)
        }
        let part = UnsafeMutableBufferPointer(rebasing: samples[..<count])
        format.readChannel(channel, of: channelCount, frames, into: part)
        return UnsafeBufferPointer(part)
    }

    func skip(_ count: UInt64, _ listener: TokenListener) throws(Refusal) {
        guard count <= UInt64(1) << 53 else {
            throw Refusal(NBM_ERROR_RANGE, "at most 2^53 frames are lost at once")
        }
        heard.skip(Int64(count)) { tell($0, $1, $2, listener) }
    }

    func finish(_ listener: TokenListener) {
        heard.finish { tell($0, $1, $2, listener) }
        heard = HeardChannels(settings)
    }

    private func tell(
        _ report: DecodeReport, _ channel: Int, _ levelDBFS: Float, _ listener: TokenListener
    ) {
        listener.tell(report, channel: channel, levelDBFS: levelDBFS, sampleRateHz: sampleRateHz)
    }
}

/// The callback that a receiver reports to.
struct TokenListener {
    let callback: nbm_on_token?
    let context: UnsafeMutableRawPointer?

    func tell(_ report: DecodeReport, channel: Int, levelDBFS: Float, sampleRateHz: Int) {
        guard let callback else { return }
        let name = report.profile.name.utf8.map { CChar(bitPattern: $0) } + [0]
        report.token.withUnsafeBufferPointer { token in
            name.withUnsafeBufferPointer { name in
                var written = nbm_report(
                    size: MemoryLayout<nbm_report>.size, token: token.baseAddress, token_bytes: token.count,
                    profile: name.baseAddress, start_seconds: report.startSeconds,
                    start_frame: report.startSeconds * Double(sampleRateHz),
                    seconds_on_air: report.durationSeconds, level_dbfs: levelDBFS,
                    snr_decibels: report.snrDecibels, ebn0_decibels: report.ebN0Decibels,
                    speed_meters_per_second: report.speedMetersPerSecond, repeats: UInt32(report.repeats),
                    lane: UInt32(report.lane), is_checked: report.isChecked ? 1 : 0, reserved: 0,
                    channel: UInt32(channel))
                callback(context, &written)
            }
        }
    }
}

@c @implementation public func nbm_receiver_create(
    _ options: UnsafePointer<nbm_receiver_options>?, _ receiver: UnsafeMutablePointer<OpaquePointer?>?
) -> nbm_result {
    receiver?.pointee = nil
    return result { () throws(Refusal) in
        guard let receiver else { throw .null("receiver") }
        let object = ReceiverObject(
            try ReceiverSettings(try Structure.read(options, or: nbm_receiver_options())))
        receiver.pointee = OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    }
}

@c @implementation public func nbm_receiver_destroy(_ receiver: OpaquePointer?) {
    if let receiver { ReceiverObject.at(receiver).release() }
}

@c @implementation public func nbm_receiver_push(
    _ receiver: OpaquePointer?, _ frames: UnsafeRawPointer?, _ frameCount: Int, _ onToken: nbm_on_token?,
    _ context: UnsafeMutableRawPointer?
) -> nbm_result {
    guard let receiver else { return NBM_ERROR_NULL }
    let object = ReceiverObject.at(receiver).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        try object.push(frames, frameCount, TokenListener(callback: onToken, context: context))
    }
}

@c @implementation public func nbm_receiver_skip(
    _ receiver: OpaquePointer?, _ frameCount: UInt64, _ onToken: nbm_on_token?,
    _ context: UnsafeMutableRawPointer?
) -> nbm_result {
    guard let receiver else { return NBM_ERROR_NULL }
    let object = ReceiverObject.at(receiver).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        try object.skip(frameCount, TokenListener(callback: onToken, context: context))
    }
}

@c @implementation public func nbm_receiver_finish(
    _ receiver: OpaquePointer?, _ onToken: nbm_on_token?, _ context: UnsafeMutableRawPointer?
) -> nbm_result {
    guard let receiver else { return NBM_ERROR_NULL }
    let object = ReceiverObject.at(receiver).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        object.finish(TokenListener(callback: onToken, context: context))
    }
}

@c @implementation public func nbm_receiver_last_error(_ receiver: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let receiver else { return staticText("") }
    return ReceiverObject.at(receiver).takeUnretainedValue().lastError.pointer
}
