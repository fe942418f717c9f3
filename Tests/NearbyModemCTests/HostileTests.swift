import CNearbyModem
import NearbyModemC
import Signal
import Testing

/// Tests that any input from C gives an error in words, and never a trap.
@Suite struct HostileTests {
    @Test func nothingIsNull() {
        #expect(nbm_mixer_create(nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_receiver_create(nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_mixer_set_token(nil, nil, 0, 0) == NBM_ERROR_NULL)
        #expect(nbm_mixer_set_tokens(nil, nil, nil, 0, 0) == NBM_ERROR_NULL)
        #expect(nbm_mixer_set_level(nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_mixer_clear(nil) == NBM_ERROR_NULL)
        #expect(nbm_mixer_fade_out(nil) == NBM_ERROR_NULL)
        #expect(nbm_mixer_mix(nil, nil, 0) == NBM_ERROR_NULL)
        #expect(nbm_mixer_fill(nil, nil, 0) == NBM_ERROR_NULL)
        #expect(nbm_mixer_get_status(nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_receiver_push(nil, nil, 0, nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_receiver_skip(nil, 1, nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_receiver_finish(nil, nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_alsa_play(nil, nil, nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_alsa_listen(nil, nil, nil, nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_profile_at(0, nil) == NBM_ERROR_NULL)
        #expect(nbm_profile_named(nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_encode(nil, 0, 0, nil, 8, nil, 0, nil) == NBM_ERROR_NULL)
        #expect(nbm_offline_token(nil, 0, 0, nil, nil) == NBM_ERROR_NULL)
        #expect(nbm_offline_message(nil, 0, 0, 0, nil, nil, nil, 0, nil, nil) == NBM_ERROR_NULL)
        nbm_mixer_destroy(nil)
        nbm_receiver_destroy(nil)
        #expect(String(cString: nbm_mixer_last_error(nil)) == "")
        #expect(String(cString: nbm_receiver_last_error(nil)) == "")
    }

    @Test func everyErrorHasWordsOfItsOwn() {
        let words = (0...NBM_ERROR_TOO_LONG.rawValue).map {
            String(cString: nbm_error_string(nbm_result($0)))
        }
        #expect(Set(words).count == words.count)
        #expect(!words.contains("unknown error"))
        #expect(String(cString: nbm_error_string(nbm_result(999))) == "unknown error")
    }

    private func options() -> nbm_mixer_options {
        var options = nbm_mixer_options()
        options.size = MemoryLayout<nbm_mixer_options>.size
        return options
    }

    @Test func optionsOutOfRangeAreRefused() {
        var mixer: OpaquePointer?
        func ended(_ change: (inout nbm_mixer_options) -> Void) -> nbm_result {
            var options = options()
            change(&options)
            let result = nbm_mixer_create(&options, &mixer)
            nbm_mixer_destroy(mixer)
            return result
        }
        #expect(ended { _ in } == NBM_OK)
        for size in [0, 1, 8, -1, Int.min, Int.max, 1 << 20] {
            #expect(ended { $0.size = size } == NBM_ERROR_STRUCT_SIZE, "\(size)")
        }
        for rate: UInt32 in [1, 7999, 384_001, .max, 8000] {
            #expect(ended { $0.sample_rate_hz = rate } == NBM_ERROR_SAMPLE_RATE, "\(rate)")
        }
        for count: UInt32 in [9, .max] { #expect(ended { $0.channel_count = count } == NBM_ERROR_CHANNELS) }
        for format: UInt32 in [6, 77, .max] {
            #expect(ended { $0.format = nbm_format(format) } == NBM_ERROR_FORMAT)
        }
        for lane: UInt32 in [4, .max] { #expect(ended { $0.lane = lane } == NBM_ERROR_RANGE) }
        for seconds: Double in [-1, 3601, .nan, .infinity, -Double.infinity] {
            #expect(ended { $0.every_seconds = seconds } == NBM_ERROR_RANGE)
            #expect(ended { $0.jitter_seconds = seconds } == NBM_ERROR_RANGE)
        }
        "no such".withCString { name in #expect(ended { $0.profile = name } == NBM_ERROR_PROFILE) }
        let notText: [CChar] = [-1, -2, 0]
        notText.withUnsafeBufferPointer { name in
            #expect(ended { $0.profile = name.baseAddress } == NBM_ERROR_RANGE)
        }
        #expect(mixer == nil)
    }

    /// The program was compiled with a longer structure than the library knows.
    @Test func newerStructuresAreTaken() {
        var room = [UInt64](repeating: 0, count: 64)
        room[0] = 512
        var mixer: OpaquePointer?
        let ended = room.withUnsafeBytes {
            nbm_mixer_create($0.baseAddress!.assumingMemoryBound(to: nbm_mixer_options.self), &mixer)
        }
        #expect(ended == NBM_OK)
        var status = [UInt64](repeating: .max, count: 64)
        status[0] = 512
        let told = status.withUnsafeMutableBytes {
            nbm_mixer_get_status(mixer, $0.baseAddress!.assumingMemoryBound(to: nbm_mixer_status.self))
        }
        #expect(told == NBM_OK)
        #expect(status[0] == 512 && status[1] == 0 && status[4] == .max)
        nbm_mixer_destroy(mixer)
    }

    @Test func whatAMixerRefusesItSays() {
        var mixer: OpaquePointer?
        #expect(nbm_mixer_create(nil, &mixer) == NBM_OK)
        let token: [UInt8] = [1, 2, 3, 4]
        for count in [0, 33, -1, Int.min, Int.max] {
            #expect(nbm_mixer_set_token(mixer, token, count, 0) == NBM_ERROR_TOKEN_LENGTH, "\(count)")
            #expect(String(cString: nbm_mixer_last_error(mixer)).hasPrefix("dsss carries 1 to 32 bytes, not"))
        }
        #expect(nbm_mixer_set_token(mixer, nil, 4, 0) == NBM_ERROR_NULL)
        for count in [0, 65, -1, Int.max] {
            #expect(nbm_mixer_set_tokens(mixer, nil, nil, count, 0) == NBM_ERROR_RANGE)
        }
        #expect(nbm_mixer_set_token(mixer, token, 4, 0) == NBM_OK)
        #expect(String(cString: nbm_mixer_last_error(mixer)) == "")
        var frames = [UInt8](repeating: 0, count: 16)
        #expect(nbm_mixer_mix(mixer, nil, 1) == NBM_ERROR_NULL)
        #expect(nbm_mixer_mix(mixer, nil, 0) == NBM_OK)
        for count in [-1, Int.min, Int.max, Int.max / 2] {
            #expect(nbm_mixer_mix(mixer, &frames, count) == NBM_ERROR_RANGE)
            #expect(nbm_mixer_fill(mixer, &frames, count) == NBM_ERROR_RANGE)
        }
        for (relative, floor, ceiling) in [
            (-61.0, -38.0, -26.0), (21, -38, -26), (-12, -91, -26), (-12, -38, 1), (-12, -20, -30),
            (Double.nan, -38, -26), (-12, Double.nan, -26), (-12, -38, Double.nan),
            (-12, -38, Double.infinity),
        ] {
            var level = nbm_level(
                size: MemoryLayout<nbm_level>.size, relative_decibels: relative, floor_dbfs: floor,
                ceiling_dbfs: ceiling)
            #expect(nbm_mixer_set_level(mixer, &level) == NBM_ERROR_RANGE)
        }
        nbm_mixer_destroy(mixer)
    }

    /// NaN, infinities and any other floats come in chunks of any size. Nothing is heard, and a token after
    /// them is.
    @Test func anyFloatsMayBePushed() {
        var options = nbm_receiver_options()
        options.size = MemoryLayout<nbm_receiver_options>.size
        options.format = NBM_FORMAT_FLOAT
        var receiver: OpaquePointer?
        #expect(nbm_receiver_create(&options, &receiver) == NBM_OK)
        var random = SplitMix64(seed: 9)
        let heard: nbm_on_token = { context, report in
            context?.assumingMemoryBound(to: Int.self).pointee += report?.pointee.token_bytes ?? 0
        }
        var byteCount = 0
        for _ in 0..<100 {
            let chunk = (0..<Int(random.next() % 3000)).map { n in
                n % 50 == 0 ? Float.nan : Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            }
            #expect(nbm_receiver_push(receiver, chunk, chunk.count, heard, &byteCount) == NBM_OK)
        }
        #expect(byteCount == 0)
        var (samples, count) = ([Float](repeating: 0, count: 100_000), 0)
        let token: [UInt8] = [9, 8, 7, 6, 5]
        let silence = [Float](repeating: 0, count: 96_000)
        #expect(nbm_encode(nil, 48_000, 0, token, 5, &samples, 100_000, &count) == NBM_OK)
        #expect(nbm_receiver_push(receiver, silence, silence.count, heard, &byteCount) == NBM_OK)
        #expect(nbm_receiver_push(receiver, samples, count, heard, &byteCount) == NBM_OK)
        #expect(nbm_receiver_finish(receiver, heard, &byteCount) == NBM_OK)
        #expect(byteCount == 5)
        #expect(nbm_receiver_push(receiver, nil, 1, nil, nil) == NBM_ERROR_NULL)
        for count in [-1, Int.min, Int.max] {
            #expect(nbm_receiver_push(receiver, samples, count, nil, nil) == NBM_ERROR_RANGE)
        }
        nbm_receiver_destroy(receiver)
    }

    /// Returns the level at which a receiver of floats hears a token whose samples are so many times full
    /// scale; `nil` if it hears none.
    private func heardLevel(scale: Float) -> Float? {
        var options = nbm_receiver_options()
        options.size = MemoryLayout<nbm_receiver_options>.size
        options.format = NBM_FORMAT_FLOAT
        var receiver: OpaquePointer?
        #expect(nbm_receiver_create(&options, &receiver) == NBM_OK)
        var (samples, count) = ([Float](repeating: 0, count: 192_000), 0)
        let token: [UInt8] = [9, 8, 7, 6, 5]
        let encoded = samples.withUnsafeMutableBufferPointer {
            nbm_encode(nil, 48_000, 0, token, 5, $0.baseAddress! + 48_000, 100_000, &count)
        }
        #expect(encoded == NBM_OK)
        samples = samples.map { scale * $0 }
        let heard: nbm_on_token = { context, report in
            context?.assumingMemoryBound(to: Float.self).pointee = report?.pointee.level_dbfs ?? 0
        }
        var level = Float.nan
        #expect(nbm_receiver_push(receiver, samples, samples.count, heard, &level) == NBM_OK)
        #expect(nbm_receiver_finish(receiver, heard, &level) == NBM_OK)
        nbm_receiver_destroy(receiver)
        return level.isNaN ? nil : level
    }

    /// Floats that are not scaled to ±1 are heard as well, and their true level is reported.
    @Test(arguments: [(0.01, -40), (100, 40), (32_768, 90.3), (0x1p-40, -240.8)] as [(Float, Float)])
    func floatsOfAnyScaleAreHeard(scale: Float, decibels: Float) throws {
        let usual = try #require(heardLevel(scale: 1))
        let level = try #require(heardLevel(scale: scale))
        #expect(abs(level - usual - decibels) < 0.5, "\(level) and \(usual) dBFS")
    }

    /// After a token, ten hours or many years of sound are lost, and another token follows. Both are heard,
    /// the second at its time and its level.
    @Test(arguments: [36_000 * 48_000, 1 << 31, 1 << 32, 1 << 40, 1 << 53] as [UInt64])
    func lostSoundIsTime(lost: UInt64) {
        var receiver: OpaquePointer?
        var options = nbm_receiver_options()
        options.size = MemoryLayout<nbm_receiver_options>.size
        options.format = NBM_FORMAT_FLOAT
        #expect(nbm_receiver_create(&options, &receiver) == NBM_OK)
        var (samples, count) = ([Float](repeating: 0, count: 100_000), 0)
        #expect(nbm_encode(nil, 48_000, 0, [9, 8, 7], 3, &samples, 100_000, &count) == NBM_OK)
        let heard: nbm_on_token = { context, report in
            let place = context?.assumingMemoryBound(to: SIMD4<Double>.self)
            guard let place, let report = report?.pointee else { return }
            place.pointee = [place.pointee[0] + 1, report.start_frame, Double(report.level_dbfs), 0]
        }
        var last = SIMD4<Double>.zero
        #expect(nbm_receiver_push(receiver, samples, count, heard, &last) == NBM_OK)
        #expect(nbm_receiver_skip(receiver, lost, heard, &last) == NBM_OK)
        #expect(last[0] == 1 && abs(last[1]) < 48)
        let level = last[2]
        #expect(nbm_receiver_push(receiver, samples, count, heard, &last) == NBM_OK)
        #expect(nbm_receiver_skip(receiver, 400_000, heard, &last) == NBM_OK)
        #expect(last[0] == 2 && abs(last[1] - Double(count) - Double(lost)) < 48)
        #expect(abs(last[2] - level) < 0.5)
        #expect(nbm_receiver_skip(receiver, .max, heard, &last) == NBM_ERROR_RANGE)
        #expect(nbm_receiver_skip(receiver, 0, nil, nil) == NBM_OK)
        nbm_receiver_destroy(receiver)
    }

    @Test func profilesAreListed() {
        var names: [String] = []
        for index in 0..<nbm_profile_count() {
            var profile = nbm_profile()
            profile.size = MemoryLayout<nbm_profile>.size
            #expect(nbm_profile_at(index, &profile) == NBM_OK)
            let name = withUnsafeBytes(of: profile.name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            var same = profile
            #expect(nbm_profile_named(name, &same) == NBM_OK)
            #expect(
                same.seconds_on_air == profile.seconds_on_air && profile.band_low_hz < profile.band_high_hz)
            names.append(name)
        }
        #expect(names.first == "dsss")
        #expect(Set(names).count == names.count && names.count > 10)
        var profile = nbm_profile()
        profile.size = MemoryLayout<nbm_profile>.size
        for index in [-1, names.count, Int.max, Int.min] {
            #expect(nbm_profile_at(index, &profile) == NBM_ERROR_PROFILE)
        }
    }
}
