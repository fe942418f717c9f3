import Glibc
import Testing
import VirtualRoom

@Suite struct WalkingTests {
    private static let tone = Tone(frequencyHz: 19_200)

    private static func walk(from a: SIMD3<Double>, to b: SIMD3<Double>, seconds: Double) -> Route {
        Route([.init(seconds: 0, place: a), .init(seconds: seconds, place: b)])
    }

    /// The frequency is f (1 + v / c) within 0.5 Hz; a walking speaker's f / (1 − v / c) is 0.4 Hz from it.
    @Test(arguments: [-1.5, -0.4, 0.4, 1.5]) func aToneHasTheWalkersDoppler(speed: Double) {
        var simulation = AirRun([.zero, .zero])
        simulation.routes[1] = Self.walk(from: [10, 0, 0], to: [10 - 2 * speed, 0, 0], seconds: 2)
        let heard = simulation.heard(Self.tone.samples(seconds: 2), seconds: 2)[1]
        let shifted = Tone(frequencyHz: 19_200 * (1 + speed / 343))
        // A second lies between two measurements of 0.1 s: 0.5 Hz is half a turn.
        let first = shifted.measured(heard, from: 24_000, count: 4800)
        let second = shifted.measured(heard, from: 72_000, count: 4800)
        let turns = ((second.phase - first.phase) / (2 * .pi)).remainder(dividingBy: 1)
        #expect(abs(turns) < 0.5)
        #expect(first.amplitude > 0.9 * 1e-3 / 11.5 * pow(10, -0.0243 * 10))
        // There is no other tone: 20 Hz away there is nothing.
        let off = Tone(frequencyHz: shifted.frequencyHz + 20).measured(heard, from: 24_000, count: 48_000)
        #expect(off.amplitude < 0.01 * first.amplitude)
    }

    /// A walker and a standing device at the same place have, at the time of measuring, the same direct
    /// sound, phase included.
    @Test func passesThroughTheStandingDevicesSound() {
        var simulation = AirRun([.zero, .zero])
        simulation.routes[1] = Self.walk(from: [5, 0, 0], to: [3, 0, 0], seconds: 2)
        let walked = simulation.heard(Self.tone.samples(seconds: 2), seconds: 2)[1]
        let stood = AirRun([.zero, [4, 0, 0]]).heard(Self.tone.samples(seconds: 2), seconds: 2)[1]
        // The window is 1.25 ms around t = 1 s, in which the path changes by a fourteenth of a wavelength.
        let first = 48_000 + Int((Air.latencySeconds * 48_000).rounded()) - 30
        let (a, b) = (
            Self.tone.measured(walked, from: first, count: 60),
            Self.tone.measured(stood, from: first, count: 60)
        )
        #expect(abs(a.amplitude / b.amplitude - 1) < 0.01)
        #expect(abs((b.phase - a.phase).remainder(dividingBy: 2 * .pi)) < 0.05)
    }

    /// In a reverberant room a tone stands, and a device walks through it at 1 m/s. The tail's energy is the
    /// standing one's, and its correlation over the path is sinc(2 Δ / λ). The test takes the mean of 120
    /// walks of 1.1 m. One walk's correlation spreads by up to 0.27, depending on its few directions, the
    /// mean by 0.025; a standing tone's energy by 1, its mean by 0.4 dB. The bounds are four of these. The
    /// mean of 400 walks was within 0.01 and 0.1 dB.
    @Test func theTailIsAnotherHalfAWaveOn() {
        let room = Room(from: [0, 0], to: [8, 8], heightMeters: 3, rt60Seconds: 0.5)
        let lags = [0, 2, 4, 6, 9, 13, 18]  // ms, which are mm
        var (sums, walked, stood) = ([Double](repeating: 0, count: lags.count), 0.0, 0.0)
        for seed in 0..<120 {
            var simulation = AirRun(
                [[1, 1, 1], [6, 6, 1]], in: FloorPlan(rooms: [room]), seed: UInt64(seed))
            let sound = Self.tone.samples(seconds: 2)
            stood += energy(simulation.heard(sound, seconds: 2)[1][24_000..<96_000]) / 120
            // The path is around the speaker, so that the direct sound and the tail's energy stay as they
            // are.
            simulation.routes[1] = Self.walk(from: [6.55, 5.4, 1], to: [5.4, 6.55, 1], seconds: 1.626)
            let all = simulation.heard(sound, seconds: 2)[1]
            var open = simulation
            open.plan = .openField
            let direct = open.heard(sound, seconds: 2)[1]
            let tail = zip(all, direct).map { $0 - $1 }
            walked += energy(all[24_000..<72_000]) / 120
            for (index, lag) in lags.enumerated() {
                sums[index] += Self.correlation(tail, lagMilliseconds: lag) / 120
            }
        }
        #expect(abs(decibels(walked / 48_000) - decibels(stood / 72_000)) < 1.6)
        for (lag, sum) in zip(lags, sums) {
            let x = 2 * Double.pi * Double(lag) * 1e-3 / (343 / 19_200)
            #expect(abs(sum / sums[0] - (lag == 0 ? 1 : sin(x) / x)) < 0.1, "at \(lag) mm")
        }
    }

    /// Returns Re Σ z(t) z*(t + lag), the tone's envelope every millisecond from 0.4 to 1.5 s.
    private static func correlation(_ samples: [Float], lagMilliseconds: Int) -> Double {
        var looks: [(Double, Double)] = []
        for n in 0..<1100 {
            var (re, im) = (0.0, 0.0)
            let first = 19_200 + 48 * n
            for i in first..<first + 20 {
                let angle = 2 * Double.pi * 0.4 * Double(i % 5)
                re += Double(samples[i]) * cos(angle)
                im -= Double(samples[i]) * sin(angle)
            }
            looks.append((re, im))
        }
        return (0..<looks.count - 20).reduce(0.0) {
            $0 + looks[$1].0 * looks[$1 + lagMilliseconds].0 + looks[$1].1 * looks[$1 + lagMilliseconds].1
        }
    }
}
