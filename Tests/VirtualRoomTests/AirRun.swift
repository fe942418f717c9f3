import Glibc
import Signal
import VirtualRoom

/// Devices without noise in some plan, and the sound that each hears from the others.
struct AirRun {
    var plan = FloorPlan.openField
    var routes: [Route]
    var blockCount = 2400
    var seed: UInt64 = 1
    var microphone = Microphone(noiseDecibelsSPLPerHertz: -.infinity)

    init(_ places: [SIMD3<Double>], in plan: FloorPlan = .openField, seed: UInt64 = 1) {
        (self.plan, self.seed) = (plan, seed)
        routes = places.map { .fixed($0) }
    }

    func makeAir() -> Air {
        Air(
            plan, devices: routes.map { AirDevice(route: $0, microphone: microphone) },
            ambience: Ambience(noiseDecibelsSPLPerHertz: -.infinity), blockCount: blockCount, seed: seed)
    }

    /// Returns the sound at each device if one plays, with silence after it for all the seconds asked for.
    func heard(_ samples: [Float], from source: Int = 0, seconds: Double) -> [[Float]] {
        var air = makeAir()
        var all = [[Float]](repeating: [], count: routes.count)
        let blocks = Int(seconds * 48_000) / blockCount
        for block in 0..<blocks {
            var played = [[Float]?](repeating: nil, count: routes.count)
            let part = samples.dropFirst(block * blockCount).prefix(blockCount)
            if !part.isEmpty {
                played[source] = part + [Float](repeating: 0, count: blockCount - part.count)
            }
            for (index, block) in air.step(played).enumerated() { all[index] += block }
        }
        return all
    }
}

/// A sine, and its measurement in samples.
struct Tone {
    var frequencyHz: Double

    func samples(seconds: Double, amplitude: Double = 1) -> [Float] {
        (0..<Int(seconds * 48_000)).map { n in
            Float(
                amplitude
                    * cos(2 * .pi * (frequencyHz / 48_000 * Double(n)).truncatingRemainder(dividingBy: 1)))
        }
    }

    /// Returns amplitude and phase, in radians, of the tone from sample `first` on, over `count` samples with
    /// a Hann window.
    func measured(_ samples: [Float], from first: Int, count: Int) -> (amplitude: Double, phase: Double) {
        var (re, im, weight) = (0.0, 0.0, 0.0)
        for n in 0..<count {
            let window = 0.5 - 0.5 * cos(2 * .pi * (Double(n) + 0.5) / Double(count))
            let angle =
                2 * .pi * (frequencyHz / 48_000 * Double(first + n)).truncatingRemainder(dividingBy: 1)
            re += window * Double(samples[first + n]) * cos(angle)
            im -= window * Double(samples[first + n]) * sin(angle)
            weight += window
        }
        return (2 * (re * re + im * im).squareRoot() / weight, atan2(im, re))
    }
}

func energy(_ samples: some Sequence<Float>) -> Double {
    samples.reduce(0.0) { $0 + Double($1) * Double($1) }
}

func decibels(_ power: Double) -> Double { 10 * log10(power) }
