import Signal
import Testing

@Suite struct ReuseTests {
    @Test(arguments: [0, 1, 2, 3, 10, 257]) func heapSortSorts(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let values = (0..<count).map { _ in Int(random.next() % 50) }
        var sorted = values
        sorted.withUnsafeMutableBufferPointer { $0.heapSort(by: <) }
        #expect(sorted == values.sorted())
        sorted.withUnsafeMutableBufferPointer { $0.heapSort(by: >) }
        #expect(sorted == values.sorted(by: >))
    }

    @Test func takenMemoryIsKept() {
        var array = Array(0..<100)
        let address = array.withUnsafeBufferPointer { $0.baseAddress }
        var taken = array.takeForReuse()
        #expect(array.isEmpty && taken.isEmpty)
        taken.append(1)
        #expect(taken.withUnsafeBufferPointer { $0.baseAddress } == address)
    }
}
