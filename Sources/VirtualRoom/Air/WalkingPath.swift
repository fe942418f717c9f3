import ChannelSim
import Signal

/// The path between two devices of which at least one walks: direct sound whose delay changes, and
/// ``PlaneWave``s.
///
/// It depends on time alone, and not on whether or when it is computed.
struct WalkingPath: Sendable {
    private let plan: FloorPlan
    private let walk: Walk
    /// The distance of a device's own loudspeaker, which never changes; `nil` for a path between two devices.
    private let fixedMeters: Double?
    private let leastGain: Double
    private let shape: BlockShape
    private let seed: UInt64
    /// The waves that are alive, in the order of their birth.
    private var waves: [PlaneWave] = []
    private var firstWave = 0

    init(
        plan: FloorPlan, walk: Walk, fixedMeters: Double?, leastGain: Double, shape: BlockShape, seed: UInt64
    ) {
        (self.plan, self.walk, self.fixedMeters) = (plan, walk, fixedMeters)
        (self.leastGain, self.shape, self.seed) = (leastGain, shape, seed)
    }

    /// The geometry at the boundary between two hops.
    private struct Instant {
        var places: (a: SIMD3<Double>, b: SIMD3<Double>)
        var walkedMeters: Double
        var propagation: Propagation
        var seconds: Double { propagation.meters / TimeWarp.speedOfSoundMetersPerSecond }
    }

    private func instant(_ seconds: Double) -> Instant {
        let places = walk.places(atSeconds: seconds)
        return Instant(
            places: places, walkedMeters: walk.walkedMeters(atSeconds: seconds),
            propagation: propagation(places.a, places.b))
    }

    private func propagation(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Propagation {
        fixedMeters.map { plan.propagation(from: a, to: b, meters: $0) } ?? plan.propagation(from: a, to: b)
    }

    /// Adds the part of an emission that arrives now. Shape: envelope `[envelopeCount]`; sum is scratch
    /// memory, `[transformCount]`.
    mutating func add(
        _ emission: Emission, startSeconds: Double, sum: UnsafeMutablePointer<Complex>,
        to envelope: UnsafeMutablePointer<Complex>
    ) {
        let hopSeconds = Double(BlockShape.samplesPerHop) / Band.sampleRateHz
        let instants = (0...shape.hopCount).map { instant(startSeconds + Double($0) * hopSeconds) }
        emission.history.withUnsafeBufferPointer {
            addDirect($0.baseAddress! + $0.count - shape.envelopeCount, instants, to: envelope)
        }
        renewWaves(from: instants[0].walkedMeters, to: instants[shape.hopCount].walkedMeters)
        for wave in waves {
            guard let response = wave.response else { continue }
            sum.update(repeating: .zero, count: shape.transformCount)
            response.add(emission, to: sum)
            shape.fft.inverse(sum)
            add(wave, sum + shape.transformCount - shape.envelopeCount, instants, to: envelope)
        }
    }

    private func addDirect(
        _ block: UnsafePointer<Complex>, _ instants: [Instant], to envelope: UnsafeMutablePointer<Complex>
    ) {
        for (hop, (from, to)) in zip(instants, instants.dropFirst()).enumerated() {
            let gains = (from.propagation.directGain, to.propagation.directGain)
            guard max(gains.0, gains.1) >= leastGain else { continue }
            func delay(_ instant: Instant) -> Double {
                instant.seconds * Band.envelopeRateHz + Double(FractionalDelay.reach)
            }
            let first = hop * BlockShape.envelopePerHop
            FractionalDelay.shared.add(
                block + first, delays: (delay(from), delay(to)), gains: gains,
                cycles: (-Band.carrierHz * from.seconds, -Band.carrierHz * to.seconds),
                count: BlockShape.envelopePerHop, to: envelope + first)
        }
    }

    private func add(
        _ wave: PlaneWave, _ block: UnsafePointer<Complex>, _ instants: [Instant],
        to envelope: UnsafeMutablePointer<Complex>
    ) {
        for (hop, (from, to)) in zip(instants, instants.dropFirst()).enumerated() {
            let gains = (wave.gain(walkedMeters: from.walkedMeters), wave.gain(walkedMeters: to.walkedMeters))
            guard gains.0 > 0 || gains.1 > 0 else { continue }
            let delays = (
                wave.delay(a: from.places.a, b: from.places.b), wave.delay(a: to.places.a, b: to.places.b)
            )
            let first = hop * BlockShape.envelopePerHop
            FractionalDelay.shared.add(
                block + first, delays: (delays.0.samples, delays.1.samples), gains: gains,
                cycles: (delays.0.cycles, delays.1.cycles), count: BlockShape.envelopePerHop,
                to: envelope + first)
        }
    }

    /// Keeps the waves that are alive between the two walked distances, and makes the missing ones.
    private mutating func renewWaves(from start: Double, to end: Double) {
        let oldest = Int((start / PlaneWave.spacingMeters).rounded(.down)) - PlaneWave.aliveCount + 1
        let youngest = Int((end / PlaneWave.spacingMeters).rounded(.down))
        if waves.isEmpty || oldest >= firstWave + waves.count {
            waves.removeAll()
            firstWave = oldest
        }
        waves.removeFirst(oldest - firstWave)
        firstWave = oldest
        while firstWave + waves.count <= youngest {
            waves.append(
                PlaneWave(
                    number: firstWave + waves.count, walk: walk, seed: seed, leastGain: leastGain,
                    shape: shape, propagation: propagation))
        }
    }
}
