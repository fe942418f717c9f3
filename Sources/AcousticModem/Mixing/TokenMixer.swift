import Synchronization

/// A mixer that adds a token, again and again, to a programme's samples in place. For players: an audio
/// thread calls ``mix(_:count:)``, one other thread calls the rest.
///
///     programme ─ ProgrammeMeter ─▶ MixingLevel ─▶ MixingVoice ─ + ─▶ programme
///                 treble, peaks      a frame's level  frames, pauses
///
/// Mixing allocates no memory, takes no lock and makes no system call (`TokenMixerTests`). Chunks of any size
/// give the same sound.
public final class TokenMixer: @unchecked Sendable {
    /// The silence between frames.
    public struct Pauses: Sendable, Hashable {
        /// The time from the beginning of one frame to that of the next; at least
        /// ``WaveformProfile/standardGapSeconds`` after its end.
        public var everySeconds: Double
        /// The most that is added at random, so that two boxes that began together drift apart.
        public var jitterSeconds: Double
        /// The least time from the end of one frame to the beginning of the next.
        package var leastGapSeconds = WaveformProfile.standardGapSeconds

        /// Creates pauses; by default frames are as close together as receivers expect repeats, and without
        /// jitter.
        public init(everySeconds: Double = 0, jitterSeconds: Double = 0) {
            (self.everySeconds, self.jitterSeconds) = (everySeconds, jitterSeconds)
        }
    }

    /// The state of the mixer.
    public struct Status: Sendable, Hashable {
        /// The number of whole frames sent.
        public var sentCount: Int
        /// True if a frame was under way when ``TokenMixer/mix(_:count:)`` or `fill` last returned.
        public var isSounding: Bool
        /// The peak of the last frame; 0 before the first.
        public var peakAmplitude: Float
        /// The power of the programme over 12 kHz, relative to a full-scale square wave.
        public var treblePower: Float
    }

    /// The transmitter that makes the frames; its sample rate must be the programme's.
    public let transmitter: Transmitter
    /// The layout of the programme's samples in memory.
    public let format: SampleFormat
    /// The number of interleaved channels of the programme, 1 to 8; the token goes to all of them alike.
    public let channelCount: Int

    /// The state of the audio thread.
    private struct Audio {
        var meter: ProgrammeMeter
        var voice: MixingVoice
        var fadesSeen = 0
    }

    /// The state of the other thread: what it asks for.
    private struct Settings {
        var waveforms: [[Float]] = []
        var frameCount: Int?
        var level = MixingLevel()
        var serial = 0
    }

    private let audio: UnsafeMutablePointer<Audio>
    /// A buffer for a run of the token's samples. `[64]`
    private let track: UnsafeMutablePointer<Float>
    private let settings: UnsafeMutablePointer<Settings>
    private let plans = MixingPlanExchange()
    private let fades = Atomic(0)

    private let sentCount = Atomic(0)
    private let isSounding = Atomic(false)
    private let peakBits = Atomic<UInt32>(0)
    private let trebleBits = Atomic<UInt32>(0)

    /// - Parameters:
    ///   - channelCount: 1 to 8; the token goes to all of them alike.
    ///   - seed: the seed of the jitter.
    public init(
        _ transmitter: Transmitter, format: SampleFormat, channelCount: Int, pauses: Pauses = Pauses(),
        seed: UInt64
    ) {
        precondition((1...8).contains(channelCount), "1 to 8 channels")
        (self.transmitter, self.format, self.channelCount) = (transmitter, format, channelCount)
        let rateHz = transmitter.sampleRateHz
        audio = .allocate(capacity: 1)
        audio.initialize(
            to: Audio(
                meter: ProgrammeMeter(sampleRateHz: rateHz),
                voice: MixingVoice(pauses, sampleRateHz: rateHz, seed: seed)))
        track = .allocate(capacity: ProgrammeMeter.blockFrames)
        track.initialize(repeating: 0, count: ProgrammeMeter.blockFrames)
        settings = .allocate(capacity: 1)
        settings.initialize(to: Settings())
    }

    deinit {
        if let plan = audio.pointee.voice.plan { plans.free(plan) }
        audio.pointee.meter.deallocate()
        audio.deinitialize(count: 1)
        audio.deallocate()
        track.deallocate()
        settings.deinitialize(count: 1)
        settings.deallocate()
    }

    // MARK: The controlling thread

    /// Sends tokens from the next frame on; they take turns, frame by frame. An empty array means silence.
    /// Throws ``TokenError``, and then changes nothing.
    ///
    /// - Parameter frames: the number of frames in all; `nil` to send for ever.
    public func send(_ tokens: [[UInt8]], frames: Int? = nil) throws(TokenError) {
        var waveforms: [[Float]] = []
        for token in tokens { waveforms.append(try transmitter.waveform(of: token)) }
        (settings.pointee.waveforms, settings.pointee.frameCount) = (waveforms, frames)
        settings.pointee.serial += 1
        publish()
    }

    /// Sets the level from the next frame on.
    public func setLevel(_ level: MixingLevel) {
        settings.pointee.level = level
        publish()
    }

    /// Falls silent within 20 ms, until the next call of `send`.
    public func fadeOut() {
        (settings.pointee.waveforms, settings.pointee.frameCount) = ([], nil)
        settings.pointee.serial += 1
        publish()
        fades.add(1, ordering: .releasing)
    }

    private func publish() {
        let settings = settings.pointee
        plans.publish(
            MixingPlan(
                settings.waveforms, level: settings.level, frameCount: settings.frameCount,
                serial: settings.serial))
    }

    /// The state of the mixer; either thread may read it.
    public var status: Status {
        Status(
            sentCount: sentCount.load(ordering: .relaxed), isSounding: isSounding.load(ordering: .relaxed),
            peakAmplitude: Float(bitPattern: peakBits.load(ordering: .relaxed)),
            treblePower: Float(bitPattern: trebleBits.load(ordering: .relaxed)))
    }

    // MARK: The audio thread

    /// Fades out the frame under way within 20 ms; others follow. For the audio thread.
    public func fadeNow() { audio.pointee.voice.fadeOut() }

    /// True if nothing more follows by the last orders. For the audio thread.
    public var isOver: Bool { audio.pointee.voice.isOver && plans.isEmpty }

    /// Adds the token to the next frames of the programme. Never moves a sample beyond full scale.
    ///
    /// - Parameter frames: `count` times `channelCount` samples of `format`, of any alignment.
    public func mix(_ frames: UnsafeMutableRawPointer, count: Int) {
        advance(frames, count, hasProgramme: true)
    }

    /// Writes the next frames: the token at its ceiling, or silence.
    public func fill(_ frames: UnsafeMutableRawPointer, count: Int) {
        frames.initializeMemory(
            as: UInt8.self, repeating: 0, count: count * channelCount * format.bytesPerSample)
        advance(frames, count, hasProgramme: false)
    }

    private func advance(_ frames: UnsafeMutableRawPointer, _ count: Int, hasProgramme: Bool) {
        switch format {
        case .s16: advance(Sample16.self, frames, count, hasProgramme)
        case .s24packed: advance(Sample24Packed.self, frames, count, hasProgramme)
        case .s24: advance(Sample24.self, frames, count, hasProgramme)
        case .s32: advance(Sample32.self, frames, count, hasProgramme)
        case .float: advance(SampleFloat.self, frames, count, hasProgramme)
        }
    }

    @inline(__always)
    private func advance<Sample: StoredSample>(
        _: Sample.Type, _ frames: UnsafeMutableRawPointer, _ count: Int, _ hasProgramme: Bool
    ) {
        var place = frames
        var left = count
        while left > 0 {
            prepare(hasProgramme: hasProgramme)
            let run = audio.pointee.voice.run(atMost: min(left, audio.pointee.meter.room))
            let peak = hasProgramme ? measure(Sample.self, place, run) : 0
            if audio.pointee.voice.isSounding {
                if audio.pointee.voice.sound(run, into: track) { sentCount.add(1, ordering: .relaxed) }
                add(Sample.self, place, run)
            } else {
                audio.pointee.voice.rest(run)
            }
            if hasProgramme { settle(run, peak) }
            place += run * channelCount * Sample.byteCount
            left -= run
        }
        isSounding.store(audio.pointee.voice.isSounding, ordering: .relaxed)
    }

    /// Returns the token's samples for the next frames of a programme to which the caller adds them, by the
    /// same rule for the level; silence between the token's frames.
    ///
    /// - Parameter measure: writes the mean of all channels of these frames of the programme, counted from
    ///   the first of the call, and returns the greatest magnitude of any channel.
    package func follow(
        into samples: UnsafeMutableBufferPointer<Float>,
        measure: (Range<Int>, UnsafeMutableBufferPointer<Float>) -> Float
    ) {
        var start = 0
        while start < samples.count {
            prepare(hasProgramme: true)
            let meter = audio.pointee.meter
            let run = audio.pointee.voice.run(atMost: min(samples.count - start, meter.room))
            let peak = measure(
                start..<start + run, UnsafeMutableBufferPointer(start: meter.place, count: run))
            let place = samples.baseAddress! + start
            if audio.pointee.voice.isSounding {
                if audio.pointee.voice.sound(run, into: place) { sentCount.add(1, ordering: .relaxed) }
            } else {
                place.update(repeating: 0, count: run)
                audio.pointee.voice.rest(run)
            }
            settle(run, peak)
            start += run
        }
        isSounding.store(audio.pointee.voice.isSounding, ordering: .relaxed)
    }

    /// The peak of the last frame at its end: less than ``Status/peakAmplitude`` if the programme's peaks
    /// left no room for it.
    package var lastAmplitude: Float { audio.pointee.voice.amplitude }

    /// Takes new orders between runs, and begins a frame if one is due.
    @inline(never)
    private func prepare(hasProgramme: Bool) {
        let asked = fades.load(ordering: .acquiring)
        if asked != audio.pointee.fadesSeen {
            audio.pointee.fadesSeen = asked
            audio.pointee.voice.fadeOut()
        }
        guard !audio.pointee.voice.isSounding else { return }
        if let plan = plans.take(), let old = audio.pointee.voice.play(plan) { plans.retire(old) }
        if audio.pointee.voice.begin(over: hasProgramme ? audio.pointee.meter : nil) {
            peakBits.store(audio.pointee.voice.amplitude.bitPattern, ordering: .relaxed)
        }
    }

    @inline(never)
    private func settle(_ run: Int, _ peak: Float) {
        guard audio.pointee.meter.add(run, peak: peak) else { return }
        audio.pointee.voice.duck(under: audio.pointee.meter.blockPeak)
        trebleBits.store(audio.pointee.meter.treblePower.bitPattern, ordering: .relaxed)
    }

    /// Writes the mean of all channels for the meter. Returns the peak of any channel.
    @inline(__always)
    private func measure<Sample: StoredSample>(
        _: Sample.Type, _ frames: UnsafeMutableRawPointer, _ count: Int
    ) -> Float {
        let mono = audio.pointee.meter.place
        let share = 1 / Float(channelCount)
        var place = UnsafeRawPointer(frames)
        var peak: Float = 0
        for n in 0..<count {
            var sum: Float = 0
            for _ in 0..<channelCount {
                let value = Sample.unit(Sample.load(place))
                sum += value
                peak = max(peak, abs(value))
                place += Sample.byteCount
            }
            mono[n] = sum * share
        }
        return peak
    }

    @inline(__always)
    private func add<Sample: StoredSample>(
        _: Sample.Type, _ frames: UnsafeMutableRawPointer, _ count: Int
    ) {
        var place = frames
        for n in 0..<count {
            // All channels get the same step, for integers exactly: only the token is rounded.
            let step = Sample.quantised(track[n])
            for _ in 0..<channelCount {
                Sample.store(Sample.sum(Sample.load(place), step), place)
                place += Sample.byteCount
            }
        }
    }
}
