import Signal
import Testing

@testable import Nearby

private typealias DeviceID = RegistryState.DeviceID

/// Tests of the table of devices, whose values are in objects of their own: it must be a value all the same.
@Suite struct DeviceTableTests {
    @Test(arguments: 0..<20) func holdsWhatADictionaryHolds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var ids = RegistryState.DeviceIDs()
        var all = (0..<20).map { _ in ids.draw() }
        var (table, plain) = (DeviceTable<[Int]>(), [DeviceID: [Int]]())
        for step in 0..<500 {
            let number = Int.random(in: all.indices, using: &random)
            let id = all[number]
            switch Int.random(in: 0..<6, using: &random) {
            case 0: (table[id], plain[id]) = (nil, nil)
            case 1: #expect(table.removeValue(of: id) == plain.removeValue(forKey: id))
            case 2: (table[id], plain[id]) = ([step], [step])
            case 3:
                (table[id], plain[id]) = (nil, nil)
                ids.free(id)
                all[number] = ids.draw()
                #expect(table[all[number]] == nil, "the place of a device that has left")
            default:
                table[id]?.append(step)
                plain[id]?.append(step)
            }
            #expect(table[id] == plain[id] && table.count == plain.count)
        }
        #expect(Set(table.ids) == Set(plain.keys))
        #expect(table.values.map(\.count).reduce(0, +) == plain.values.map(\.count).reduce(0, +))
    }

    @Test func noIdentityComesTwiceAndALaterOneIsHigher() {
        var ids = RegistryState.DeviceIDs()
        let first = (0..<100).map { _ in ids.draw() }
        for id in first { ids.free(id) }
        let next = (0..<200).map { _ in ids.draw() }
        #expect(Set(first + next).count == 300)
        #expect(first + next == (first + next).sorted())
        #expect(Set(next.map(\.place)) == Set(0..<200), "places are used again")
    }

    @Test func aDeviceThatHasLeftHasNoValue() {
        var ids = RegistryState.DeviceIDs()
        let gone = ids.draw()
        ids.free(gone)
        let here = ids.draw()
        var table = DeviceTable<String>()
        table[here] = "here"
        #expect(table[gone] == nil && table.removeValue(of: gone) == nil)
        table[gone] = nil
        #expect(table[here] == "here" && table.count == 1)
    }

    @Test func aCopyKeepsItsValues() {
        var ids = RegistryState.DeviceIDs()
        let (a, b, c) = (ids.draw(), ids.draw(), ids.draw())
        var one = DeviceTable<String>()
        (one[a], one[b]) = ("a", "b")
        var other = one
        other[a]?.append("c")
        other[b] = nil
        one[c] = "d"
        #expect(one[a] == "a" && one[b] == "b" && one[c] == "d" && one.count == 3)
        #expect(other[a] == "ac" && other[b] == nil && other[c] == nil && other.count == 1)
    }

    /// A value that is changed in its place is not copied: an array keeps its memory.
    @Test func aValueIsChangedInItsPlace() {
        var ids = RegistryState.DeviceIDs()
        let id = ids.draw()
        var table = DeviceTable<[Int]>()
        table[id] = Array(0..<100)
        let before = table[id]?.withUnsafeBufferPointer { $0.baseAddress }
        for n in 0..<100 { table[id]?[n] += 1 }
        #expect(table[id]?.withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(table[id]?.first == 1)
    }
}
