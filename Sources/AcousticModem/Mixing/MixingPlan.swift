import Synchronization

/// What a mixer is to send from the next frame on. Made by one thread, played by another, freed by the first.
struct MixingPlan {
    /// A frame's samples, peak 32767: half the memory of floats, and 98 dB of noise below it.
    struct Waveform {
        let samples: UnsafeMutableBufferPointer<Int16>
        /// Of a peak of 1.
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

    /// Take turns, frame by frame; none: silence.
    let waveforms: UnsafeMutableBufferPointer<Waveform>
    let amplitude: MixingAmplitude
    /// In all; nil for ever.
    let frameCount: Int?
    /// The same for plans that differ in the level only: the frames sent count on.
    let serial: Int
    /// Of those that were played, the one before.
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

/// Plans from the thread that makes them to the audio thread, and back to be freed: no lock, and only the maker asks for memory.
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

    /// The maker's: a plan that was not taken is replaced.
    func publish(_ plan: MixingPlan) {
        let place = Place.allocate(capacity: 1)
        place.initialize(to: plan)
        if let old = incoming.exchange(UnsafeMutableRawPointer(place), ordering: .acquiringAndReleasing) {
            free(self.place(old))
        }
        freeRetired()
    }

    /// Whether there is nothing new.
    var isEmpty: Bool { incoming.load(ordering: .relaxed) == nil }

    /// The audio thread's; nil when there is nothing new.
    func take() -> Place? {
        guard incoming.load(ordering: .relaxed) != nil else { return nil }
        return incoming.exchange(nil, ordering: .acquiringAndReleasing).map { place($0) }
    }

    /// The audio thread's: it has no use for the plan any more.
    func retire(_ plan: Place) {
        // Another turn only when the maker has taken all in this very moment.
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
