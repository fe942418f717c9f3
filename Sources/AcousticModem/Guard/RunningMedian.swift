/// The median of powers that come and go one at a time, to within 6 %: each insertion and removal takes a few
/// steps, however many are held. Powers of 0 are not counted: digital silence says nothing about the noise.
///
///     counts   . . . 2 7 9 4 1 . . 1 . .      a class each for eight parts of an octave
///                        ^ median: half are below it
struct RunningMedian: Sendable {
    /// The number of low bits that are dropped: a class is the exponent and the first three bits behind the
    /// point.
    private static let dropped: UInt32 = 20

    private var counts = [Int32](repeating: 0, count: 1 << (31 - Int(dropped)))
    private var held: Int32 = 0
    /// The class of the median, and the number of powers in classes below it.
    private var place = 0
    private var below: Int32 = 0

    /// The greatest ratio of a power to the middle of its class.
    static let greatestRatio: Float = 1.125

    private static func place(_ power: Float) -> Int { Int(power.bitPattern >> dropped) }

    mutating func insert(_ power: Float) {
        guard power > 0 else { return }
        let place = RunningMedian.place(power)
        counts[place] += 1
        held += 1
        if place < self.place { below += 1 }
    }

    mutating func removeAll() {
        counts.withUnsafeMutableBufferPointer { $0.update(repeating: 0) }
        (held, place, below) = (0, 0, 0)
    }

    /// Removes a power that was inserted.
    mutating func remove(_ power: Float) {
        guard power > 0 else { return }
        let place = RunningMedian.place(power)
        counts[place] -= 1
        held -= 1
        if place < self.place { below -= 1 }
    }

    /// Returns the middle of the class that holds the median; 0 if nothing is held.
    mutating func median() -> Float {
        guard held > 0 else { return 0 }
        let rank = held / 2
        while below > rank {
            place -= 1
            below -= counts[place]
        }
        while below + counts[place] <= rank {
            below += counts[place]
            place += 1
        }
        let bits = UInt32(place) << RunningMedian.dropped | 1 << (RunningMedian.dropped - 1)
        return Float(bitPattern: bits)
    }
}
