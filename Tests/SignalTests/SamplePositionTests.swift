import Testing

@testable import Signal

/// Tests of positions on clocks that run longer than 32 bits count. On machines with a 64-bit `Int`, their
/// arithmetic must equal that of `Int`.
@Suite struct SamplePositionTests {
    private static let places: [Int] = [
        0, 1, 95, 96, 0x7fff_ffff, 0x8000_0000, 1 << 45, -1, -95, -96, -1 << 33,
    ]

    @Test func areAsIntegers() {
        for a in Self.places {
            let position = SamplePosition(a)
            #expect(position.index == Int64(a) && Double(position) == Double(a))
            #expect(SamplePosition(Double(a) + (a < 0 ? -0.25 : 0.25)) == position)
            for count in [0, 1, 96, 4800, -7] {
                #expect((position + count) - position == count && (position - count) - position == -count)
                #expect(position.advanced(by: count) == position + count)
            }
            for count in [1, 2, 96, 4096] {
                #expect(
                    (position / count).index == Int64(a / count)
                        && (position * count).index == Int64(a * count))
                #expect(position % count == a % count && position & 4095 == a & 4095)
            }
            for b in Self.places {
                #expect(
                    (position < SamplePosition(b)) == (a < b) && (position == SamplePosition(b)) == (a == b))
                #expect(position.distance(to: SamplePosition(b)) == b - a)
            }
        }
    }

    /// A clock begins at a position of another one.
    @Test func haveAPlaceOnOtherClocks() {
        let (place, origin): (SamplePosition, SamplePosition) = (0x2_0000_0010, 0x1_ffff_fff0)
        #expect(place.since(origin) == 32 && place.since(origin).after(origin) == place)
        #expect(SamplePosition.min < SamplePosition.max - 1)
    }

    @Test func spanRanges() {
        let range = SamplePosition(0x7fff_fff0)..<0x7fff_fff0 + 40
        #expect(range.count == 40 && range.contains(0x8000_0000) && !range.contains(0x8000_0018))
        #expect(range.map { $0 % 16 } == (0..<40).map { $0 % 16 })
        #expect(range.clamped(to: 0x8000_0000..<0x9000_0000).lowerBound == 0x8000_0000)
        #expect(
            stride(from: range.lowerBound, to: range.upperBound, by: 16).map { $0 & 4095 } == [4080, 0, 16])
    }

    /// 160 outputs at 48 kHz are 147 inputs at 44.1 kHz, after years as at the start.
    @Test func resamplersReadOnTime() {
        let clock = ResamplerClock(fromHz: 44_100, toHz: 48_000, startOffsetSamples: 0)
        let turns: Int64 = 1 << 33
        for output: SamplePosition in [0, 1, 77, 159] {
            let (early, late) = (
                clock.instant(output), clock.instant(SamplePosition(turns * 160).after(output))
            )
            #expect(
                late.sample == early.sample.after(SamplePosition(turns * 147)) && late.phase == early.phase)
            #expect(late.isAtOrBefore(late.sample + 1) && !late.isAtOrBefore(late.sample - 1))
        }
    }
}
