import ChannelSim
import Signal

/// The air between many devices. In each block it takes what each device plays and returns what each device
/// hears.
///
///     played ─ band ─ Emission ─┬ StandingPath ─┐
///                               └ WalkingPath  ─┴─ Σ ─ SimulatedMicrophone: band, sounds, noise ─ heard
///
/// It is a value with a clock of its own, at 48 kHz: the same seed and the same sounds give the same result,
/// in blocks of any length. Everything is heard ``latencySeconds`` later than in reality. Levels are
/// physical: ``Loudspeaker``, ``Microphone``.
package struct Air: Sendable {
    package static let sampleRateHz = Band.sampleRateHz
    package static let latencySeconds = Double(Band.latencySamples) / Band.sampleRateHz

    /// The part of the latency that lies before the sum of the envelopes. It makes the positions of walkers
    /// those of the moment at which they sounded.
    private static let envelopeLatencySeconds =
        Double(Band.latencySamples - Band.filterReach) / Band.sampleRateHz

    package let plan: FloorPlan
    package let devices: [AirDevice]
    /// The number of each device's samples in a step.
    package let blockCount: Int
    /// The number of steps so far.
    package private(set) var stepCount = 0
    package var seconds: Double { Double(stepCount) * shape.seconds }

    /// True if televisions and radios are on.
    package var areProgrammesPlaying = true

    private let programmes: ProgrammeField
    private let bounds: AirBounds
    private let shape: BlockShape
    private let seed: UInt64
    private var emissions: [Emission?]
    private var microphones: [SimulatedMicrophone?]
    /// The paths by ``Path/index(_:_:)``; an entry is `nil` until sound takes that path.
    private var paths: [Path?]
    private var sum: ScratchBuffer<Complex>
    private var envelope: ScratchBuffer<Complex>

    /// - Parameter blockCount: a multiple of 480, which is 10 ms. Longer blocks are cheaper.
    package init(
        _ plan: FloorPlan, devices: [AirDevice], programmes: [Programme] = [],
        ambience: Ambience = Ambience(),
        blockCount: Int = 2400, seed: UInt64
    ) {
        let shape = BlockShape(sampleCount: blockCount)
        let bounds = AirBounds(devices, plan: plan, ambience: ambience)
        let partitionCount = bounds.longestResponse / shape.envelopeCount + 2
        (self.plan, self.devices, self.blockCount) = (plan, devices, blockCount)
        self.programmes = ProgrammeField(programmes, plan: plan, routes: devices.map(\.route), shape: shape)
        (self.bounds, self.shape, self.seed) = (bounds, shape, seed)
        emissions = devices.map { device in
            device.loudspeaker.map {
                Emission(
                    shape: shape, fullScaleDecibelsSPL: $0.fullScaleDecibelsSPL,
                    partitionCount: partitionCount, longestDelay: bounds.longestDelay)
            }
        }
        microphones = devices.enumerated().map { index, device in
            device.microphone.map {
                SimulatedMicrophone($0, in: ambience, shape: shape, seed: Air.seed(seed, .microphone, index))
            }
        }
        paths = [Path?](repeating: nil, count: devices.count * (devices.count + 1) / 2)
        sum = ScratchBuffer(count: shape.transformCount, repeating: .zero)
        envelope = ScratchBuffer(count: shape.envelopeCount, repeating: .zero)
    }

    /// Computes one block. Shape: `[device][blockCount]` → the same. A `nil` block is silence and costs
    /// nothing. A device without a microphone hears an empty block.
    ///
    /// - Precondition: a device that plays has a loudspeaker.
    package mutating func step(_ played: [[Float]?]) -> [[Float]] {
        var heard: [[Float]] = []
        step(played, into: &heard)
        return heard
    }

    /// Does the same without allocating memory, if `heard` is the result of the last step.
    package mutating func step(_ played: [[Float]?], into heard: inout [[Float]]) {
        precondition(played.count == devices.count, "a block, or nil, for every device")
        if heard.count != devices.count { heard = devices.map { _ in [] } }
        for source in devices.indices {
            precondition(played[source] == nil || emissions[source] != nil, "who plays has a loudspeaker")
            let wasInAir = emissions[source]?.isInAir ?? false
            emissions[source]?.append(played[source])
            if wasInAir, emissions[source]?.isInAir == false { forgetWaves(from: source) }
        }
        for listener in devices.indices where microphones[listener] != nil {
            if heard[listener].count != blockCount {
                heard[listener] = [Float](repeating: 0, count: blockCount)
            }
            microphones[listener]!.hear(gather(at: listener), into: &heard[listener])
            if areProgrammesPlaying {
                programmes.add(
                    to: &heard[listener], microphone: microphones[listener]!, at: listener, step: stepCount)
            }
            microphones[listener]!.addNoise(to: &heard[listener])
        }
        stepCount += 1
    }

    /// Returns the envelope that arrives from all devices: `[envelopeCount]`; `nil` if nothing arrives.
    private mutating func gather(at listener: Int) -> UnsafePointer<Complex>? {
        guard emissions.contains(where: { $0?.isInAir ?? false }) else { return nil }
        let (sum, envelope) = (self.sum.claim(), self.envelope.claim())
        // Standing paths share one inverse transform.
        sum.update(repeating: .zero, count: shape.transformCount)
        for source in devices.indices {
            guard let emission = emissions[source], emission.isInAir else { continue }
            let index = openPath(source, listener)
            if case .standing(let path)? = paths[index] { path.response?.add(emission, to: sum) }
        }
        shape.fft.inverse(sum)
        envelope.update(from: sum + shape.transformCount - shape.envelopeCount, count: shape.envelopeCount)
        for source in devices.indices {
            guard let emission = emissions[source], emission.isInAir else { continue }
            let index = Path.index(source, listener)
            guard case .walking(var path)? = paths[index] else { continue }
            paths[index] = nil  // no copy of its waves
            path.add(emission, startSeconds: seconds - Air.envelopeLatencySeconds, sum: sum, to: envelope)
            paths[index] = .walking(path)
        }
        return UnsafePointer(envelope)
    }

    /// Returns the path's index, and makes the path if it does not exist yet.
    private mutating func openPath(_ source: Int, _ listener: Int) -> Int {
        let index = Path.index(source, listener)
        if paths[index] == nil {
            // The device with the lower index always comes first, because directions belong to devices.
            let (a, b) = (min(source, listener), max(source, listener))
            paths[index] = Path(
                between: devices[a], and: devices[b], isOneDevice: a == b, plan: plan,
                leastGain: bounds.leastGain, shape: shape, seed: Air.seed(seed, .path, index))
        }
        return index
    }

    /// Forgets the plane waves of walkers. They are many and soon replaced, so that waves that nobody hears
    /// are drawn again when they are needed.
    private mutating func forgetWaves(from source: Int) {
        for listener in devices.indices {
            let index = Path.index(source, listener)
            if case .walking? = paths[index] { paths[index] = nil }
        }
    }

    private enum Part: UInt64 {
        case microphone = 1
        case path
    }

    /// Derives a seed for each part from the seed of the whole.
    private static func seed(_ seed: UInt64, _ part: Part, _ index: Int) -> UInt64 {
        var random = SplitMix64(seed: seed &+ part.rawValue &* 0xA076_1D64_78BD_642F &+ UInt64(index))
        return random.next()
    }
}
