import Testing

@testable import AcousticModem

struct CopyOnWriteTests {
    /// An object whose end can be seen.
    private final class Witness: Sendable {}

    @Test func aCopyGoesOnByItself() {
        var first = CopyOnWrite([1, 2])
        var second = first
        second.value.append(3)
        first.value[0] = 9
        #expect(first.value == [9, 2])
        #expect(second.value == [1, 2, 3])
    }

    @Test func changesInPlaceWhatNobodyShares() {
        var numbers = CopyOnWrite([Int](repeating: 0, count: 1000))
        let place = numbers.read { $0.withUnsafeMutableBufferPointer { $0.baseAddress } }
        for index in 0..<1000 { numbers.value[index] = index }
        #expect(numbers.read { $0.withUnsafeMutableBufferPointer { $0.baseAddress } } == place)
        #expect(numbers.value == Array(0..<1000))
    }

    @Test func letsGoOfWhatItHolds() {
        weak var witness: Witness?
        do {
            let held = Witness()
            witness = held
            var first = CopyOnWrite([held])
            let second = first
            first.value.removeAll()
            #expect(second.value.count == 1)
            #expect(witness != nil)
        }
        #expect(witness == nil)
    }
}
