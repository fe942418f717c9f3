import Nearby
import Signal
import Testing

/// Tests of the dictionary with values in objects of their own, which must be a value all the same.
@Suite struct BoxedDictionaryTests {
    @Test(arguments: 0..<20) func holdsWhatADictionaryHolds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var (boxed, plain) = (BoxedDictionary<Int, [Int]>(), [Int: [Int]]())
        for step in 0..<500 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: (boxed[key], plain[key]) = (nil, nil)
            case 1: #expect(boxed.removeValue(forKey: key) == plain.removeValue(forKey: key))
            case 2: (boxed[key], plain[key]) = ([step], [step])
            default:
                boxed[key]?.append(step)
                plain[key]?.append(step)
            }
            #expect(boxed[key] == plain[key] && boxed.count == plain.count)
        }
        #expect(Set(boxed.keys) == Set(plain.keys))
        #expect(Dictionary(uniqueKeysWithValues: boxed.entries.map { ($0.key, $0.value) }) == plain)
        #expect(boxed.values.map(\.count).reduce(0, +) == plain.values.map(\.count).reduce(0, +))
    }

    @Test func aCopyKeepsItsValues() {
        var one = BoxedDictionary<Int, String>()
        (one[1], one[2]) = ("a", "b")
        var other = one
        other[1]?.append("c")
        other[2] = nil
        one[3] = "d"
        #expect(one[1] == "a" && one[2] == "b" && one[3] == "d" && one.count == 3)
        #expect(other[1] == "ac" && other[2] == nil && other[3] == nil && other.count == 1)
    }

    /// A value that is changed in its place is not copied: an array keeps its memory.
    @Test func aValueIsChangedInItsPlace() {
        var boxed = BoxedDictionary<Int, [Int]>()
        boxed[1] = Array(0..<100)
        let before = boxed[1]?.withUnsafeBufferPointer { $0.baseAddress }
        for n in 0..<100 { boxed[1]?[n] += 1 }
        #expect(boxed[1]?.withUnsafeBufferPointer { $0.baseAddress } == before)
        #expect(boxed[1]?.first == 1)
    }
}
