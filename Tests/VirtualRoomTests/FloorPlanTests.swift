import Glibc
import Testing
import VirtualRoom

/// Tests with two rooms of 4 m by 4 m side by side, with a wall's thickness of 0.2 m between them.
@Suite struct FloorPlanTests {
    static func rooms(_ openings: [Opening] = [], wallDecibels: Double = 45) -> FloorPlan {
        FloorPlan(
            rooms: [
                Room(from: [0, 0], to: [4, 4], rt60Seconds: 0.4),
                Room(from: [4.2, 0], to: [8.2, 4], rt60Seconds: 0.3),
            ], openings: openings, wallLossDecibels: wallDecibels)
    }

    private static let door = Opening(from: [4.1, 1], to: [4.1, 2])
    private static let (here, there): (SIMD3<Double>, SIMD3<Double>) = ([1, 1.5, 1], [7, 1.5, 1])

    /// There is only one wall, although both rooms draw it.
    @Test func aWallTakesItsDecibels() {
        let open = FloorPlan.openField.propagation(from: Self.here, to: Self.there)
        let walled = Self.rooms().propagation(from: Self.here, to: Self.there)
        #expect(abs(20 * log10(walled.directGain / open.directGain) + 45) < 1e-9)
        let doored = Self.rooms([Self.door]).propagation(from: Self.here, to: Self.there)
        #expect(abs(doored.directGain / open.directGain - 1) < 1e-9)
        let beside = Self.rooms([Self.door]).propagation(from: [1, 3, 1], to: [7, 3, 1])
        #expect(abs(20 * log10(beside.directGain / open.directGain) + 45) < 1e-9)
        let outside = Self.rooms().propagation(from: Self.here, to: [1, -5, 1])
        #expect(outside.reverberation == nil)
    }

    /// The level difference of ISO 16283 is R − 10 lg(S / A), with the wall's 4 m by 2.5 m and the far room's
    /// absorption 0.1611 V / T. It holds to 0.01 dB, because the sound that comes back is under −40 dB.
    @Test func reverberationComesThroughTheWall() throws {
        let plan = Self.rooms()
        let same = try #require(plan.propagation(from: Self.here, to: Self.here).reverberation)
        let other = try #require(plan.propagation(from: Self.here, to: Self.there).reverberation)
        // The formula excludes the energy before the direct sound, so that both places have the same
        // reverberation.
        let far = 10 / (0.1611 * 40 / 0.3)
        let kHere = 13.8155 / 0.4
        let kThere = 13.8155 / 0.3
        let before = 6.0 / 343
        let rest = (kThere * exp(-kHere * before) - kHere * exp(-kThere * before)) / (kThere - kHere)
        let expected = 45 - decibels(far) - decibels(rest)
        let measured = decibels(same.energy / other.energy) + decibels(exp(kHere * 0.05 / 343))
        #expect(abs(measured - expected) < 0.02)
    }

    /// Sound takes either way alike, through any door and any wall.
    @Test(arguments: [0.0, 12, 40]) func isReciprocal(doorDecibels: Double) throws {
        var door = Self.door
        door.lossDecibels = doorDecibels
        let plan = Self.rooms([door])
        let (to, from) = (
            plan.propagation(from: Self.here, to: Self.there),
            plan.propagation(from: Self.there, to: Self.here)
        )
        #expect(abs(to.gain / from.gain - 1) < 1e-9)
    }

    /// An open door makes one room's sound decay faster and the other's louder, and creates no energy.
    @Test func anOpenDoorTakesFromOneAndGivesToTheOther() {
        let (shut, open) = (Self.rooms(), Self.rooms([Self.door]))
        let inside: (FloorPlan) -> Double = { $0.propagation(from: Self.here, to: [3, 3, 1]).gain }
        let beyond: (FloorPlan) -> Double = { $0.propagation(from: [1, 3, 1], to: [7, 3, 1]).gain }
        #expect(inside(open) < inside(shut))
        #expect(beyond(open) > 10 * beyond(shut))
        #expect(beyond(open) < inside(open))
    }
}
