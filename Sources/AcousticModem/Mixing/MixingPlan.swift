import Synchronization

/// A plan of what a mixer sends from the next frame on. One thread makes it, another plays it, and the first
/// frees it.
struct MixingPlan {
    /// A frame's samples, peak 32767: half the memory of floats, and 98 dB of noise below it.
    struct Waveform {
        let samples: UnsafeMutableBufferPointer<Int16>
        /// The RMS value relative to a peak of 1.
        let rms: Float

        static let scale: Float = 1 / 32767

        init(_ waveform: [Float]) {
            samples = .allocate(capacity: waveform.count)
            var power = 0.0
            for (n, sample) in waveform.enumerated() {
                samples.initializeElement(at: n, to: Int16((max(-1, min(1, sample)) * 32767).rounded()))
                power += Double(sample * sample)
            }
            rms = Float(max(1e-9, power / Double(max(1, waveform.count))).squareRoot())
        }
    }

    /// The waveforms, which take turns, frame by frame; none for silence.
    let waveforms: UnsafeMutableBufferPointer<Waveform>
    let amplitude: MixingAmplitude
    /// The number of frames in all; `nil` to send for ever.
    let frameCount: Int?
    /// A number that is the same for plans that differ only in the level: the count of sent frames then goes
    /// on.
    let serial: Int
    /// The previous plan in the list of those that were played.
    var nextRetired: UnsafeMutablePointer<MixingPlan>?

    init(_ waveforms: [[Float]], level: MixingLevel, frameCount: Int?, serial: Int) {
        self.waveforms = .allocate(capacity: waveforms.count)
        for (index, waveform) in waveforms.enumerated() {
            self.waveforms.initializeElement(at: index, to: Waveform(waveform))
        }
        amplitude = MixingAmplitude(level)
        (self.frameCount, self.serial) = (frameCount, serial)
    }

    func deallocate() {
        for waveform in waveforms { waveform.samples.deallocate() }
        waveforms.deallocate()
    }
}

/// An exchange of plans: from the thread that makes them to the audio thread, and back to be freed. It takes
/// no lock, and only the maker allocates memory.
///
///     maker ─ publish ─▶ incoming ─ take ─▶ audio thread ─ retire ─▶ retired ─ publish: freed
final class MixingPlanExchange: @unchecked Sendable {
    typealias Place = UnsafeMutablePointer<MixingPlan>

    private let incoming = Atomic<UnsafeMutableRawPointer?>(nil)
    private let retired = Atomic<UnsafeMutableRawPointer?>(nil)

    deinit {
        freeRetired()
        if let plan = incoming.load(ordering: .acquiring) { free(place(plan)) }
    }

    /// Publishes a plan and replaces one that was not taken. For the maker's thread.
    func publish(_ plan: MixingPlan) {
        let place = Place.allocate(capacity: 1)
        place.initialize(to: plan)
        if let old = incoming.exchange(UnsafeMutableRawPointer(place), ordering: .acquiringAndReleasing) {
            free(self.place(old))
        }
        freeRetired()
    }

    /// True if there is no new plan.
    var isEmpty: Bool { incoming.load(ordering: .relaxed) == nil }

    /// Takes the new plan; `nil` if there is none. For the audio thread.
    func take() -> Place? {
        guard incoming.load(ordering: .relaxed) != nil else { return nil }
        return incoming.exchange(nil, ordering: .acquiringAndReleasing).map { place($0) }
    }

    /// Gives back a plan that is no longer used. For the audio thread.
    func retire(_ plan: Place) {
        // The loop repeats only if the maker has taken all in this very moment.
        while true {
            let first = retired.load(ordering: .acquiring)
            plan.pointee.nextRetired = first.map { place($0) }
            let stored = retired.compareExchange(
                expected: first, desired: UnsafeMutableRawPointer(plan), ordering: .acquiringAndReleasing)
            if stored.exchanged { return }
        }
    }

    private func freeRetired() {
        var plan = retired.exchange(nil, ordering: .acquiringAndReleasing).map { place($0) }
        while let this = plan {
            plan = this.pointee.nextRetired
            free(this)
        }
    }

    func free(_ plan: Place) {
        plan.pointee.deallocate()
        plan.deallocate()
    }

    private func place(_ raw: UnsafeMutableRawPointer) -> Place {
        raw.assumingMemoryBound(to: MixingPlan.self)
    }
}
