import Nearby
import Signal
import Testing

/// Tests of the dictionary in a sorted array, which must hold what a hash table holds.
@Suite struct SortedMapTests {
    @Test(arguments: 0..<20) func holdsWhatAHashTableHolds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (map, table) = (SortedMap<OperationID, Int>(), [OperationID: Int]())
        for step in 0..<500 {
            let key = OperationID(.random(in: 1...20, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: (map[key], table[key]) = (nil, nil)
            case 1:
                map.update { $1 += Int($0.number) }
                table = Dictionary(uniqueKeysWithValues: table.map { ($0, $1 + Int($0.number)) })
            case 2 where step % 50 == 0:
                map.removeAll { $1 % 2 == 0 || $0 == key }
                table = table.filter { $0.value % 2 != 0 && $0.key != key }
            default: (map[key], table[key]) = (step, step)
            }
            #expect(map[key] == table[key] && map.count == table.count)
        }
        #expect(map.inOrder.map(\.key) == table.keys.sorted())
        #expect(map.inOrder.allSatisfy { table[$0.key] == $0.value })
        #expect(Array(map.values) == map.inOrder.map(\.value))
    }

    /// A value that is changed in its place is not copied: an array keeps its memory.
    @Test func updatesInPlace() {
        var map = SortedMap<OperationID, [Int]>()
        for number in 1...3 { map[OperationID(UInt64(number))] = Array(repeating: number, count: 100) }
        func addresses() -> [UnsafePointer<Int>?] {
            map.inOrder.map { $0.value.withUnsafeBufferPointer { $0.baseAddress } }
        }
        let before = addresses()
        map.update { key, value in value[0] = Int(key.number) + 1 }
        #expect(addresses() == before)
        #expect(map.values.allSatisfy { $0[0] == $0[1] + 1 })
    }
}
