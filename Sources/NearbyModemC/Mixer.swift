// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AcousticModem
import CNearbyModem

/// The checked values of `nbm_mixer_options`. They are a type of their own, since in Embedded Swift a class
/// leaks when its initializer throws.
struct MixerSettings {
    let profile: WaveformProfile
    let sampleRateHz: Int
    let lane: Int
    let pauses: TokenMixer.Pauses
    let format: SampleFormat
    let nbmFormat: nbm_format
    let channelCount: Int
    let seed: UInt64

    init(_ options: nbm_mixer_options) throws(Refusal) {
        profile = try SoundOptions.profile(options.profile)
        sampleRateHz = try SoundOptions.sampleRate(options.sample_rate_hz, for: [profile])
        lane = try SoundOptions.lane(options.lane)
        pauses = TokenMixer.Pauses(
            everySeconds: try SoundOptions.seconds(options.every_seconds, "every_seconds"),
            jitterSeconds: try SoundOptions.seconds(options.jitter_seconds, "jitter_seconds"))
        format = try SoundOptions.format(options.format)
        nbmFormat = options.format == nbm_format(0) ? NBM_FORMAT_S16 : options.format
        channelCount = try SoundOptions.channelCount(options.channel_count, default: 2)
        var random = SystemRandomNumberGenerator()
        seed = options.seed == 0 ? random.next() : options.seed
    }
}

/// The object behind an `nbm_mixer`.
final class MixerObject {
    let mixer: TokenMixer
    let lastError = LastError()
    let sampleRateHz: Int
    let frameBytes: Int
    let nbmFormat: nbm_format

    init(_ settings: MixerSettings) {
        (sampleRateHz, nbmFormat) = (settings.sampleRateHz, settings.nbmFormat)
        let transmitter = Transmitter(
            profile: settings.profile, lane: settings.lane, sampleRateHz: Double(sampleRateHz))
        mixer = TokenMixer(
            transmitter, format: settings.format, channelCount: settings.channelCount,
            pauses: settings.pauses, seed: settings.seed)
        frameBytes = settings.channelCount * settings.format.bytesPerSample
    }

    static func at(_ handle: OpaquePointer) -> Unmanaged<MixerObject> {
        Unmanaged.fromOpaque(UnsafeRawPointer(handle))
    }

    func send(_ tokens: [[UInt8]], frames: UInt32) throws(Refusal) {
        do {
            try mixer.send(tokens, frames: frames == 0 ? nil : Int(clamping: frames))
        } catch {
            throw Refusal(NBM_ERROR_TOKEN_LENGTH, "\(error)")
        }
    }
}

@c @implementation public func nbm_mixer_create(
    _ options: UnsafePointer<nbm_mixer_options>?, _ mixer: UnsafeMutablePointer<OpaquePointer?>?
) -> nbm_result {
    mixer?.pointee = nil
    return result { () throws(Refusal) in
        guard let mixer else { throw .null("mixer") }
        let object = MixerObject(try MixerSettings(try Structure.read(options, or: nbm_mixer_options())))
        mixer.pointee = OpaquePointer(Unmanaged.passRetained(object).toOpaque())
    }
}

@c @implementation public func nbm_mixer_destroy(_ mixer: OpaquePointer?) {
    if let mixer { MixerObject.at(mixer).release() }
}

@c @implementation public func nbm_mixer_set_token(
    _ mixer: OpaquePointer?, _ token: UnsafePointer<UInt8>?, _ tokenBytes: Int, _ frameCount: UInt32
) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    let object = MixerObject.at(mixer).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        let token = try SoundOptions.token(token, tokenBytes, for: object.mixer.transmitter.profile)
        try object.send([token], frames: frameCount)
    }
}

@c @implementation public func nbm_mixer_set_tokens(
    _ mixer: OpaquePointer?, _ tokens: UnsafePointer<UnsafePointer<UInt8>?>?,
    _ tokenBytes: UnsafePointer<Int>?, _ tokenCount: Int, _ frameCount: UInt32
) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    let object = MixerObject.at(mixer).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        guard (1...64).contains(tokenCount) else {
            throw Refusal(NBM_ERROR_RANGE, "1 to 64 tokens take turns, not \(tokenCount)")
        }
        guard let tokens else { throw .null("tokens") }
        guard let tokenBytes else { throw .null("token_bytes") }
        var all: [[UInt8]] = []
        for index in 0..<tokenCount {
            all.append(
                try SoundOptions.token(
                    tokens[index], tokenBytes[index], for: object.mixer.transmitter.profile))
        }
        try object.send(all, frames: frameCount)
    }
}

@c @implementation public func nbm_mixer_set_level(
    _ mixer: OpaquePointer?, _ level: UnsafePointer<nbm_level>?
) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    let object = MixerObject.at(mixer).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in
        guard level != nil else { throw .null("level") }
        let level = try Structure.read(level, or: nbm_level())
        let (relative, peak) = (MixingLevel.relativeRange, MixingLevel.peakRange)
        guard relative.contains(level.relative_decibels), peak.contains(level.floor_dbfs),
            peak.contains(level.ceiling_dbfs), level.floor_dbfs <= level.ceiling_dbfs
        else {
            throw Refusal(
                NBM_ERROR_RANGE,
                "relative is -60 to 20 dB, floor and ceiling -90 to 0 dBFS, the floor not over the ceiling")
        }
        object.mixer.setLevel(
            MixingLevel(
                relativeDecibels: level.relative_decibels, floorDBFS: level.floor_dbfs,
                ceilingDBFS: level.ceiling_dbfs))
    }
}

@c @implementation public func nbm_mixer_clear(_ mixer: OpaquePointer?) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    let object = MixerObject.at(mixer).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in try object.send([], frames: 0) }
}

@c @implementation public func nbm_mixer_fade_out(_ mixer: OpaquePointer?) -> nbm_result {
    guard let mixer else { return NBM_ERROR_NULL }
    let object = MixerObject.at(mixer).takeUnretainedValue()
    return object.lastError.result { () throws(Refusal) in object.mixer.fadeOut() }
}

@c @implementation public func nbm_mixer_last_error(_ mixer: OpaquePointer?) -> UnsafePointer<CChar>? {
    guard let mixer else { return staticText("") }
    return MixerObject.at(mixer).takeUnretainedValue().lastError.pointer
}
