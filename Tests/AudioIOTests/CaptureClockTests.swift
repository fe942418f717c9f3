import Testing

@testable import AudioIO

@Suite struct CaptureClockTests {
    private static let rateHz = 48_000
    private static let periodFrames = 2400

    /// The clock's results for periods that come at these seconds.
    private struct Capture {
        var clock = CaptureClock(sampleRateHz: CaptureClockTests.rateHz, startSeconds: 0)
        var missing: [Int] = []
        var heldCount = 0

        mutating func period(atSeconds seconds: Double, isBroken: Bool = false) {
            switch clock.add(CaptureClockTests.periodFrames, atSeconds: seconds, isBroken: isBroken) {
            case .whole: break
            case .held: heldCount += 1
            case .missing(let frames): missing.append(frames)
            }
        }

        /// Delivers periods at their times, or up to 40 ms later in turn.
        mutating func periods(_ seconds: ClosedRange<Double>, lateBy late: Double = 0) {
            let count = Int(((seconds.upperBound - seconds.lowerBound) / 0.05).rounded())
            for period in 1...count {
                let jitter = Double(period * 7 % 5) * 0.01
                self.period(atSeconds: seconds.lowerBound + 0.05 * Double(period) + jitter + late)
            }
        }
    }

    @Test func nothingIsMissingOfASteadyStream() {
        var capture = Capture()
        capture.periods(0...100)
        #expect(capture.missing.isEmpty && capture.heldCount == 0)
    }

    /// The card's clock is off by 300 ppm, for five hours.
    @Test(arguments: [-3e-4, 3e-4]) func slowAndFastClocksLoseNothing(skew: Double) {
        var capture = Capture()
        for period in 1...360_000 { capture.period(atSeconds: 0.05 * Double(period) * (1 + skew)) }
        #expect(capture.missing.isEmpty && capture.heldCount == 0)
        // A later loss is known as exactly as before.
        let last = 18_000 * (1 + skew)
        for period in 1...40 { capture.period(atSeconds: last + 3 + 0.05 * Double(period)) }
        #expect(capture.missing.count == 1)
        #expect(abs((capture.missing.first ?? 0) - 144_000) < 1000)
    }

    /// A suspended server reports nothing. The missing 3 s are known within 20 ms.
    @Test func aStallIsMissing() {
        var capture = Capture()
        capture.periods(0...10)
        capture.periods(13...20)
        #expect(capture.missing.count == 1)
        #expect(abs((capture.missing.first ?? 0) - 144_000) < 960)
    }

    /// An xrun is reported, and its loss is known, however small.
    @Test(arguments: [0.0, 0.12, 1.5]) func aBrokenStreamIsMeasured(seconds: Double) {
        var capture = Capture()
        capture.periods(0...10)
        capture.period(atSeconds: 10.05 + seconds, isBroken: true)
        capture.periods(10.05 + seconds...20)
        #expect(capture.missing.count == 1)
        #expect(abs(Double(capture.missing.first ?? 0) / 48_000 - seconds) < 0.02)
    }

    /// The program stood still, or the server was slow. All sound arrives later, at once or over half a
    /// second.
    @Test(arguments: [0.0, 0.01]) func aBacklogIsNotMissing(secondsBetween: Double) {
        var capture = Capture()
        capture.periods(0...10)
        for period in 1...80 { capture.period(atSeconds: 13.1 + secondsBetween * Double(period)) }
        capture.periods(14...20)
        #expect(capture.missing.isEmpty, "\(capture.missing)")
    }

    /// A server that renders two seconds of silence ahead, and later gives sound as it comes, has lost
    /// nothing.
    @Test func aheadOfTimeIsNoMeasure() {
        var capture = Capture()
        for period in 1...40 { capture.period(atSeconds: 0.05 + 0.0001 * Double(period)) }
        capture.periods(2...20)
        #expect(capture.missing.isEmpty, "\(capture.missing)")
    }

    /// A device without a clock is always ahead.
    @Test func devicesWithoutAClockLoseNothing() {
        var capture = Capture()
        for period in 1...10_000 { capture.period(atSeconds: 1e-5 * Double(period)) }
        #expect(capture.missing.isEmpty && capture.heldCount == 0)
    }
}

@Suite struct FrameRingGapTests {
    private func read(_ ring: FrameRing, _ count: Int) -> [Float] {
        var out = [Float](repeating: 0, count: count)
        let there = ring.read(into: &out, frames: count)
        return Array(out[..<there])
    }

    /// A gap is reported once, before the frame after it, and reading ends before it.
    @Test func gapsHaveTheirPlaces() {
        let ring = FrameRing(channelCount: 1, atLeast: 8)
        defer { ring.free() }
        ring.skip(frames: 7)
        #expect(ring.takeGap() == 0)
        #expect(ring.write([1, 2], frames: 2) == 2)
        ring.skip(frames: 3)
        ring.skip(frames: 2)
        #expect(ring.write([3], frames: 1) == 1)
        #expect(ring.takeGap() == 7 && ring.takeGap() == 0)
        #expect(read(ring, 8) == [1, 2])
        #expect(read(ring, 8) == [])
        #expect(ring.takeGap() == 5)
        #expect(read(ring, 8) == [3])
        #expect(ring.takeGap() == 0)
    }

    /// Held frames are not read, and a gap may still be put before them.
    @Test func heldFramesWait() {
        let ring = FrameRing(channelCount: 1, atLeast: 8)
        defer { ring.free() }
        #expect(ring.write([1], frames: 1) == 1)
        let held = ring.end
        #expect(ring.append([2, 3], frames: 2) == 2)
        #expect(read(ring, 8) == [1] && read(ring, 8) == [] && ring.takeGap() == 0)
        #expect(ring.freeCount == ring.capacity - 2)
        ring.skip(frames: 100, before: held)
        ring.publish()
        #expect(ring.takeGap() == 100)
        #expect(read(ring, 8) == [2, 3])
    }

    /// With more gaps than there is room for, the total of missing frames is right.
    @Test func manyGapsAddUp() {
        let ring = FrameRing(channelCount: 1, atLeast: 256)
        defer { ring.free() }
        var (kept, missing) = (0, 0)
        for _ in 0..<100 {
            ring.skip(frames: 10)
            missing += 10
            if ring.write([1], frames: 1) == 1 {
                kept += 1
            } else {
                ring.skip(frames: 1)
                missing += 1
            }
        }
        var (read, told) = (0, 0)
        while ring.count > 0 {
            told += ring.takeGap()
            read += self.read(ring, 8).count
        }
        #expect(read == kept && kept < 100)
        #expect(ring.write([1], frames: 1) == 1)
        told += ring.takeGap()
        #expect(told == missing)
    }
}
