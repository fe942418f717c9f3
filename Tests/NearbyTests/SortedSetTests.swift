import Signal
import Testing

@testable import Nearby

/// Tests of the set in a sorted array, which must hold what a hash table holds.
@Suite struct SortedSetTests {
    @Test(arguments: 0..<20) func holdsWhatAHashTableHolds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (set, table) = (SortedSet<Int>(), Set<Int>())
        for _ in 0..<500 {
            let element = Int.random(in: 0..<20, using: &random)
            if Bool.random(using: &random) {
                set.insert(element)
                table.insert(element)
            } else {
                set.remove(element)
                table.remove(element)
            }
            #expect(set.contains(element) == table.contains(element))
            #expect(set.inOrder == table.sorted())
        }
    }

    @Test(arguments: 0..<20) func isMadeOfAnySequence(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let elements = (0..<count).map { _ in Int.random(in: 0..<10, using: &random) }
        #expect(SortedSet(elements).inOrder == Set(elements).sorted())
    }
}
