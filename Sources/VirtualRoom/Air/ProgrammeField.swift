/// The levels of every programme at every device.
struct ProgrammeField: Sendable {
    private let programmes: [Programme]
    private let plan: FloorPlan
    private let routes: [Route]
    private let shape: BlockShape
    /// The gains at devices that do not move: `[programme][device][hop]`; `nil` for walkers.
    private let standingGains: [[[Double]?]]

    init(_ programmes: [Programme], plan: FloorPlan, routes: [Route], shape: BlockShape) {
        (self.programmes, self.plan, self.routes, self.shape) = (programmes, plan, routes, shape)
        standingGains = programmes.map { programme in
            routes.map { route in
                guard route.isFixed else { return nil }
                let gain = ProgrammeField.gain(of: programme, at: route.waypoints[0].place, plan)
                return [Double](repeating: gain, count: shape.hopCount + 1)
            }
        }
    }

    /// Adds the programmes to the block of that step.
    func add(to samples: inout [Float], microphone: SimulatedMicrophone, at device: Int, step: Int) {
        for (index, programme) in programmes.enumerated() {
            let gains =
                standingGains[index][device] ?? walkersGains(of: programme, routes[device], step: step)
            microphone.add(programme.samples, from: step * shape.sampleCount, gains: gains, to: &samples)
        }
    }

    private func walkersGains(of programme: Programme, _ route: Route, step: Int) -> [Double] {
        (0...shape.hopCount).map { hop in
            let sample = step * shape.sampleCount + hop * BlockShape.samplesPerHop
            let place = route.place(atSeconds: Double(sample) / Band.sampleRateHz)
            return ProgrammeField.gain(of: programme, at: place, plan)
        }
    }

    private static func gain(
        of programme: Programme, at place: SIMD3<Double>, _ plan: FloorPlan
    ) -> Double {
        Decibels.amplitude(programme.decibelsSPL) * plan.propagation(from: programme.place, to: place).gain
    }
}
