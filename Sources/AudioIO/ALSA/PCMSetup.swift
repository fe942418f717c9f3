import CALSA

/// The settings of an opened device: the nearest to the request that it offers without converting rates.
struct PCMSetup {
    let sampleRateHz: Int
    let channelCount: Int
    let encoding: PCMEncoding
    let periodFrames: Int
    let bufferFrames: Int

    /// Throws: `.unavailable` if the device has no suitable settings.
    init(
        _ handle: OpaquePointer, _ name: String, _ direction: PCM.Direction, _ request: PCMRequest
    ) throws(AudioIOError) {
        var hardware: OpaquePointer?
        snd_pcm_hw_params_malloc(&hardware)
        defer { snd_pcm_hw_params_free(hardware) }
        func check(_ code: Int32, _ what: String) throws(AudioIOError) {
            if code < 0 { throw PCMError.refused(name, what, code) }
        }
        try check(snd_pcm_hw_params_any(handle, hardware), "any setting")
        // A converter that attenuates 19 kHz by 5 dB is worse than another rate.
        try check(snd_pcm_hw_params_set_rate_resample(handle, hardware, 0), "sound as it is")
        try check(
            snd_pcm_hw_params_set_access(handle, hardware, SND_PCM_ACCESS_RW_INTERLEAVED),
            "interleaved samples")
        let encoding = PCMEncoding.allCases.first {
            snd_pcm_hw_params_test_format(handle, hardware, $0.alsa) == 0
        }
        guard let encoding else { throw PCMError.unsuited(name, "samples of 16, 24 or 32 bits or float") }
        try check(snd_pcm_hw_params_set_format(handle, hardware, encoding.alsa), encoding.rawValue)
        let rate = request.sampleRatesHz.first {
            snd_pcm_hw_params_test_rate(handle, hardware, UInt32($0), 0) == 0
        }
        guard let rate else {
            let rates = request.sampleRatesHz.map { "\($0)" }.joined(separator: ", ")
            throw PCMError.unsuited(name, "\(rates) Hz", offered: PCMSetup.rates(hardware))
        }
        try check(snd_pcm_hw_params_set_rate(handle, hardware, UInt32(rate), 0), "\(rate) Hz")
        let wanted = request.channelCount.map { UInt32($0) } ?? PCMSetup.allChannels(handle, hardware)
        var channels = wanted
        try check(
            snd_pcm_hw_params_set_channels_near(handle, hardware, &channels), "\(wanted) channels")
        var period = snd_pcm_uframes_t(request.periodSeconds * Double(rate))
        try check(snd_pcm_hw_params_set_period_size_near(handle, hardware, &period, nil), "its period")
        var buffer = snd_pcm_uframes_t(request.bufferSeconds * Double(rate))
        try check(snd_pcm_hw_params_set_buffer_size_near(handle, hardware, &buffer), "its buffer")
        try check(snd_pcm_hw_params(handle, hardware), "these settings together")
        (sampleRateHz, channelCount, self.encoding) = (rate, Int(channels), encoding)
        (periodFrames, bufferFrames) = (Int(period), Int(buffer))
        try PCMSetup.setThresholds(handle, name, direction, period: period, buffer: buffer)
    }

    /// The most channels that are opened unasked.
    private static let mostChannels: UInt32 = 8

    private static func allChannels(_ handle: OpaquePointer, _ hardware: OpaquePointer?) -> UInt32 {
        var (least, most) = (UInt32(1), UInt32(1))
        guard snd_pcm_hw_params_get_channels_min(hardware, &least) >= 0,
            snd_pcm_hw_params_get_channels_max(hardware, &most) >= 0, least <= most
        else { return 1 }
        let mixes = ![SND_PCM_TYPE_HW, SND_PCM_TYPE_FILE, SND_PCM_TYPE_NULL].contains(snd_pcm_type(handle))
        return allChannels(of: least...most, mixes: mixes)
    }

    /// Returns the number of channels to open of a device that offers some.
    ///
    ///     2, 1 to 2, 6, 8     microphones               the most
    ///     18                  a mixing desk             the least that it takes
    ///     1 to 32, mixes      a sound server            2, as most microphones have
    ///     1 to 32             a loopback, a file        the least: its other side sets how many there are
    ///
    /// - Parameter mixes: true if the device makes as many channels as are asked for.
    static func allChannels(of offer: ClosedRange<UInt32>, mixes: Bool) -> UInt32 {
        if offer.upperBound <= mostChannels { return offer.upperBound }
        return mixes ? max(offer.lowerBound, 2) : offer.lowerBound
    }

    /// Returns the device's range of rates: "22050 Hz", "8000 to 16000 Hz".
    private static func rates(_ hardware: OpaquePointer?) -> String {
        var (least, most, direction) = (UInt32(0), UInt32(0), Int32(0))
        guard snd_pcm_hw_params_get_rate_min(hardware, &least, &direction) >= 0,
            snd_pcm_hw_params_get_rate_max(hardware, &most, &direction) >= 0
        else { return "" }
        return least == most ? "\(least) Hz" : "\(least) to \(most) Hz"
    }

    private static func setThresholds(
        _ handle: OpaquePointer, _ name: String, _ direction: PCM.Direction, period: snd_pcm_uframes_t,
        buffer: snd_pcm_uframes_t
    ) throws(AudioIOError) {
        var software: OpaquePointer?
        snd_pcm_sw_params_malloc(&software)
        defer { snd_pcm_sw_params_free(software) }
        // Playback begins with a nearly full buffer; capture begins on command.
        let start = direction == .playback ? max(period, buffer - period) : 1
        var code = snd_pcm_sw_params_current(handle, software)
        if code >= 0 { code = snd_pcm_sw_params_set_start_threshold(handle, software, start) }
        if code >= 0 { code = snd_pcm_sw_params_set_avail_min(handle, software, period) }
        if code >= 0 { code = snd_pcm_sw_params(handle, software) }
        if code < 0 { throw PCMError.refused(name, "its thresholds", code) }
    }
}
