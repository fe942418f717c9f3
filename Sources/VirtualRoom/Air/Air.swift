import ChannelSim
import Signal

/// The air between many devices: every block, what each plays goes in, and what each hears comes out.
///
///     played ─ band ─ Emission ─┬ StandingPath ─┐
///                               └ WalkingPath  ─┴─ Σ ─ SimulatedMicrophone: band, programmes, clicks, noise ─ heard
///
/// A value on a clock of its own, 48 kHz: the same seed and the same sounds give the same, in blocks of any length.
/// Everything is heard ``latencySeconds`` later than in life. Levels are physical: ``Loudspeaker``, ``Microphone``.
public struct Air: Sendable {
    public static let sampleRateHz = Band.sampleRateHz
    public static let latencySeconds = Double(Band.latencySamples) / Band.sampleRateHz

    /// The part of it that lies before the envelopes' sum: walkers are where they are in life when it was sounded.
    private static let envelopeLatencySeconds =
        Double(Band.latencySamples - Band.filterReach) / Band.sampleRateHz

    public let plan: FloorPlan
    public let devices: [AirDevice]
    /// Samples of each device in a step.
    public let blockCount: Int
    /// Steps so far.
    public private(set) var stepCount = 0
    public var seconds: Double { Double(stepCount) * shape.seconds }

    /// Whether televisions and radios are on.
    public var areProgrammesPlaying = true

    private let programmes: ProgrammeField
    private let bounds: AirBounds
    private let shape: BlockShape
    private let seed: UInt64
    private var emissions: [Emission?]
    private var microphones: [SimulatedMicrophone?]
    /// By ``Path/index(_:_:)``; nil until something comes that way.
    private var paths: [Path?]
    private var sum: ScratchBuffer<Complex>
    private var envelope: ScratchBuffer<Complex>

    /// - Parameter blockCount: a multiple of 480, which is 10 ms. More is cheaper.
    public init(
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

    /// Shape: `[device][blockCount]` → the same. Nil is silence, and costs nothing; a device without a microphone hears
    /// an empty block.
    ///
    /// - Precondition: who plays has a loudspeaker.
    public mutating func step(_ played: [[Float]?]) -> [[Float]] {
        var heard: [[Float]] = []
        step(played, into: &heard)
        return heard
    }

    /// The same without memory of its own, when `heard` is what the last step gave.
    public mutating func step(_ played: [[Float]?], into heard: inout [[Float]]) {
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

    /// What comes through the band from all devices: `[envelopeCount]`; nil when there is nothing.
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

    /// Its index, the path made if it is not yet.
    private mutating func openPath(_ source: Int, _ listener: Int) -> Int {
        let index = Path.index(source, listener)
        if paths[index] == nil {
            // Of the two always the same one first: directions belong to devices.
            let (a, b) = (min(source, listener), max(source, listener))
            paths[index] = Path(
                between: devices[a], and: devices[b], isOneDevice: a == b, plan: plan,
                leastGain: bounds.leastGain, shape: shape, seed: Air.seed(seed, .path, index))
        }
        return index
    }

    /// A walker's waves are many, and soon others: what nobody hears is drawn again when it is needed.
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

    /// Of each part its own, from the seed of all.
    private static func seed(_ seed: UInt64, _ part: Part, _ index: Int) -> UInt64 {
        var random = SplitMix64(seed: seed &+ part.rawValue &* 0xA076_1D64_78BD_642F &+ UInt64(index))
        return random.next()
    }
}
