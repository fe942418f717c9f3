import ChannelSim
import Glibc

/// The rooms of one floor, the walls around them and the openings in those. A place without a room is in the
/// open air.
///
/// A wall between two rooms is drawn twice, once by each. Sides that are at most a wall's thickness apart are
/// one wall.
package struct FloorPlan: Sendable, Hashable {
    package let rooms: [Room]
    package let openings: [Opening]
    /// A wall's loss of sound at 19 kHz.
    package let wallLossDecibels: Double
    let coupled: CoupledRooms

    static let wallThicknessMeters = 0.3
    private static let airDecibelsPerMeter = AirAbsorption().decibelsPerMeter(frequencyHz: Band.carrierHz)

    /// A plan without walls and without reverberation.
    package static let openField = FloorPlan(rooms: [])

    package init(rooms: [Room], openings: [Opening] = [], wallLossDecibels: Double = 60) {
        self.rooms = rooms
        self.openings = openings
        self.wallLossDecibels = wallLossDecibels
        let couplings = rooms.indices.map { i in
            rooms.indices.map { j in
                i == j
                    ? 0
                    : FloorPlan.coupling(rooms[i], rooms[j], openings, wallLossDecibels: wallLossDecibels)
            }
        }
        coupled = CoupledRooms(rooms, couplings: couplings)
    }

    /// Returns the propagation of sound between two places, which is the same both ways.
    package func propagation(from source: SIMD3<Double>, to microphone: SIMD3<Double>) -> Propagation {
        let way = microphone - source
        return propagation(from: source, to: microphone, meters: (way * way).sum().squareRoot())
    }

    /// Returns the propagation if the length of the direct path is known, as for a device's own loudspeaker.
    func propagation(
        from source: SIMD3<Double>, to microphone: SIMD3<Double>, meters: Double
    ) -> Propagation {
        let meters = max(meters, FloorPlan.leastMeters)
        let air = FloorPlan.airDecibelsPerMeter * (meters - 1)
        let walls = wallLossDecibels(between: SIMD2(source.x, source.y), SIMD2(microphone.x, microphone.y))
        return Propagation(
            meters: meters, directGain: Decibels.amplitude(-walls - air) / meters,
            reverberation: reverberation(from: source, to: microphone, meters: meters))
    }

    /// The least distance of two things.
    private static let leastMeters = 0.05

    private func reverberation(
        from source: SIMD3<Double>, to microphone: SIMD3<Double>, meters: Double
    ) -> Reverberation? {
        guard let a = rooms.firstIndex(where: { $0.contains(source) }),
            let b = rooms.firstIndex(where: { $0.contains(microphone) })
        else { return nil }
        return Reverberation(
            energyAtOnce: coupled.energy[a][b], decayPerSecond: coupled.decayPerSecond[a],
            secondDecayPerSecond: a == b ? nil : coupled.decayPerSecond[b],
            onsetSeconds: meters / TimeWarp.speedOfSoundMetersPerSecond)
    }

    /// Returns the sum of the losses of all walls that the straight line crosses.
    func wallLossDecibels(between a: SIMD2<Double>, _ b: SIMD2<Double>) -> Double {
        let line = Segment(a, b)
        let meters = line.meters
        guard meters > 0 else { return 0 }
        let crossings = rooms.flatMap { $0.sides.compactMap(line.crossing) }.sorted()
        var (loss, last) = (0.0, -Double.infinity)
        for share in crossings where (share - last) * meters > FloorPlan.wallThicknessMeters {
            last = share
            loss += wallLossDecibels(at: line.point(share))
        }
        return loss
    }

    private func wallLossDecibels(at point: SIMD2<Double>) -> Double {
        openings.first { $0.segment.distance(to: point) <= FloorPlan.wallThicknessMeters }?.lossDecibels
            ?? wallLossDecibels
    }

    /// Returns Σ area · transmission of the wall that two rooms share, in m².
    private static func coupling(
        _ a: Room, _ b: Room, _ openings: [Opening], wallLossDecibels: Double
    ) -> Double {
        var sum = 0.0
        for side in a.sides {
            let shared = b.sides.map { side.overlap($0, withinMeters: wallThicknessMeters) }.max() ?? 0
            guard shared > 0 else { continue }
            let wall = shared * min(a.heightMeters, b.heightMeters)
            let within = openings.filter { opening in
                side.overlap(opening.segment, withinMeters: wallThicknessMeters) > 0
                    && b.sides.contains { $0.distance(to: opening.segment.middle) <= wallThicknessMeters }
            }
            let open = within.reduce(0) { $0 + $1.areaSquareMeters }
            sum += within.reduce(0) { $0 + $1.areaSquareMeters * $1.transmission }
            sum += max(0, wall - open) * Decibels.power(-wallLossDecibels)
        }
        return sum
    }
}
