import Glibc
import Testing

@testable import AudioIO

@Suite struct FrameRingTests {
    /// One thread writes frames in pieces of uneven size, and another reads them in others. All arrive, in
    /// order.
    @Test(arguments: [1, 2, 5]) func framesComeThrough(channelCount: Int) throws {
        let ring = FrameRing(channelCount: channelCount, atLeast: 100)
        defer { ring.free() }
        #expect(ring.capacity == 128)
        let count = 200_000
        let writer = try AudioThread(.standardStream, isFirst: false) {
            var next = 0
            var size = 1
            while next < count {
                size = size * 31 % 67 + 1
                let frames = min(size, count - next)
                let samples = (0..<frames * channelCount).map { Float(next * channelCount + $0) }
                let written = ring.write(samples, frames: frames)
                next += written
                if written == 0 { sched_yield() }
            }
        }
        var read = 0
        var wrong = 0
        var size = 1
        var samples = [Float](repeating: 0, count: 64 * channelCount)
        while read < count {
            size = size * 29 % 61 + 1
            let frames = ring.read(into: &samples, frames: size)
            for n in 0..<frames * channelCount where samples[n] != Float(read * channelCount + n) {
                wrong += 1
            }
            read += frames
            if frames == 0 { sched_yield() }
        }
        #expect(writer.join(withinSeconds: 10))
        #expect(wrong == 0 && ring.count == 0)
    }

    @Test func fullAndEmpty() {
        let ring = FrameRing(channelCount: 1, atLeast: 4)
        defer { ring.free() }
        var out = [Float](repeating: 0, count: 8)
        #expect(ring.read(into: &out, frames: 8) == 0)
        #expect(ring.write([1, 2, 3, 4, 5], frames: 5) == 4)
        #expect(ring.freeCount == 0 && ring.write([6], frames: 1) == 0)
        #expect(ring.read(into: &out, frames: 3) == 3)
        #expect(ring.write([6, 7], frames: 2) == 2)
        #expect(ring.read(into: &out, frames: 8) == 3)
        #expect(Array(out[..<3]) == [4, 6, 7])
    }
}

@Suite struct NearNameTests {
    @Test func distances() {
        #expect(NearName.distance(Array("kitten".utf8), Array("sitting".utf8)) == 3)
        #expect(NearName.distance([], Array("abc".utf8)) == 3)
    }

    @Test func nearestFirst() {
        let names = ["default", "hw:CARD=PCH,DEV=0", "air_in", "air_out"]
        #expect(NearName.nearest(to: "air_inn", of: names, most: 3) == ["air_in", "air_out"])
        #expect(NearName.nearest(to: "Defualt", of: names, most: 3) == ["default"])
        #expect(NearName.nearest(to: "zzzzzz", of: names, most: 3).isEmpty)
    }
}
