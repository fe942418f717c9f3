import Signal

/// The state of the frame of a plan that sounds, with its position and level: what a mixer's audio thread
/// adds to the programme.
///
///     | frame | pause | frame | pause | frame ◢ fades out
///     ▲ the level is decided, a new plan is taken       ▲ asked to fall silent, or no room above
struct MixingVoice {
    /// The ramp, 5.3 ms at 48 kHz, for a frame that must be softer under a sudden peak.
    private static let duckFrames = 256

    private let fadeFrames: Int
    private let gapFrames: Int
    private let everyFrames: Int
    private let jitterFrames: Double
    private var random: SplitMix64

    private(set) var plan: MixingPlanExchange.Place?
    private var framesLeft: Int?
    private var turn = 0
    private var waveform: MixingPlan.Waveform?
    private var position = 0
    /// The frames of the pause that are still to come: a pause of two hours at the highest rate has more than
    /// 2³¹.
    private var silence: Int64 = 0

    /// The peak of the frame under way.
    private(set) var amplitude: Float = 0
    private var rampFrom: Float = 0
    private var rampFrames = 1
    private var rampLeft = 0
    private var isFading = false

    init(_ pauses: TokenMixer.Pauses, sampleRateHz: Double, seed: UInt64) {
        fadeFrames = Int(0.02 * sampleRateHz)
        gapFrames = Int(pauses.leastGapSeconds * sampleRateHz)
        everyFrames = Int(pauses.everySeconds * sampleRateHz)
        jitterFrames = pauses.jitterSeconds * sampleRateHz
        random = SplitMix64(seed: seed)
    }

    var isSounding: Bool { waveform != nil }
    /// True if nothing follows without a new plan.
    var isOver: Bool {
        waveform == nil && (plan.map { $0.pointee.waveforms.isEmpty || framesLeft == 0 } ?? true)
    }

    /// Plays another plan, between frames. Returns the previous plan.
    mutating func play(_ next: MixingPlanExchange.Place) -> MixingPlanExchange.Place? {
        let old = plan
        if old?.pointee.serial != next.pointee.serial { (framesLeft, turn) = (next.pointee.frameCount, 0) }
        plan = next
        return old
    }

    /// Begins a frame if one is due. Returns true if it has.
    ///
    /// - Parameter programme: the programme's meter; `nil` if there is no programme, and the frame is as loud
    ///   as allowed.
    mutating func begin(over programme: ProgrammeMeter?) -> Bool {
        guard silence == 0, framesLeft != 0, let plan, !plan.pointee.waveforms.isEmpty else { return false }
        let next = plan.pointee.waveforms[turn]
        let level = plan.pointee.amplitude
        amplitude = programme.map { level.peak(under: $0, frameRMS: next.rms) } ?? level.ceiling
        (waveform, position, rampLeft, isFading) = (next, 0, 0, false)
        return true
    }

    /// Returns the number of frames, at most `most`, that continue like the next one: silence, or sound, of
    /// which a ramp is a part of its own.
    func run(atMost most: Int) -> Int {
        guard let waveform else { return silence > 0 ? Int(min(Int64(most), silence)) : most }
        let left = min(most, waveform.samples.count - position)
        return rampLeft > 0 ? min(left, rampLeft) : left
    }

    /// Writes the next samples of a run that sounds. Returns true if a whole frame has ended.
    mutating func sound(_ count: Int, into samples: UnsafeMutablePointer<Float>) -> Bool {
        guard let waveform else { return false }
        let from = waveform.samples.baseAddress! + position
        if rampLeft > 0 {
            for n in 0..<count {
                let x = Float(rampLeft - n) / Float(rampFrames)
                let gain = amplitude + (rampFrom - amplitude) * x * x * (3 - 2 * x)
                samples[n] = Float(from[n]) * MixingPlan.Waveform.scale * gain
            }
            rampLeft -= count
        } else {
            let gain = amplitude * MixingPlan.Waveform.scale
            for n in 0..<count { samples[n] = Float(from[n]) * gain }
        }
        position += count
        let hasFaded = isFading && rampLeft == 0
        let isWhole = position == waveform.samples.count
        if isWhole || hasFaded { end(isWhole: isWhole) }
        return isWhole
    }

    /// Counts a silent run.
    mutating func rest(_ count: Int) { silence = max(0, silence - Int64(count)) }

    private mutating func end(isWhole: Bool) {
        let frameCount = waveform?.samples.count ?? 0
        waveform = nil
        // A frame that was cut off does not count as one of those asked for.
        if isWhole, let left = framesLeft, left > 0 { framesLeft = left - 1 }
        if let plan { turn = (turn + 1) % max(1, plan.pointee.waveforms.count) }
        silence = Int64(max(gapFrames, everyFrames - frameCount))
        if jitterFrames > 0 { silence += Int64(random.nextUnit() * jitterFrames) }
    }

    /// Ends the frame under way softly.
    mutating func fadeOut() {
        guard waveform != nil, !isFading else { return }
        ramp(to: 0, within: fadeFrames)
        isFading = true
    }

    /// Lowers the frame under way if the programme has no room for all of it.
    mutating func duck(under peak: Float) {
        guard waveform != nil, !isFading, let plan else { return }
        let least = plan.pointee.amplitude.room(amplitude, under: peak)
        if least < amplitude { ramp(to: least, within: MixingVoice.duckFrames) }
    }

    private mutating func ramp(to target: Float, within frames: Int) {
        let x = rampLeft > 0 ? Float(rampLeft) / Float(rampFrames) : 0
        rampFrom = rampLeft > 0 ? amplitude + (rampFrom - amplitude) * x * x * (3 - 2 * x) : amplitude
        (amplitude, rampFrames, rampLeft) = (target, max(1, frames), max(1, frames))
    }
}
