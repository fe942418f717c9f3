/// The tones of some windows, with room for a profile's reach beyond the band to either side, filled with 0.
///
///     0 … 0 | tone 0 … tone 63 | 0 … 0      a vector of offsets about any tone is eight floats in a row
struct ToneRows {
    private static let width =
        TonePlan.toneCount + 8 * ArrivalProfile.vectors
    private var values: [Float]

    init(_ windows: Int) { values = [Float](repeating: 0, count: windows * ToneRows.width) }

    /// `[windows][64]`
    subscript(bin: Int) -> Float {
        @inline(__always) get { values[ToneRows.place(bin)] }
        @inline(__always) set { values[ToneRows.place(bin)] = newValue }
    }

    mutating func clear() { for place in values.indices { values[place] = 0 } }

    /// Returns the offsets about a tone in a window. `place`: `[windows][vectors]`
    @inline(__always)
    func vector(_ place: Int, _ tone: Int) -> ArrivalProfile.Vector {
        values.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: 4 * ToneRows.place(place, tone), as: ArrivalProfile.Vector.self)
        }
    }

    @inline(__always)
    mutating func add(_ vector: ArrivalProfile.Vector, _ place: Int, _ tone: Int) {
        let sum = self.vector(place, tone) + vector
        values.withUnsafeMutableBytes {
            $0.storeBytes(
                of: sum, toByteOffset: 4 * ToneRows.place(place, tone), as: ArrivalProfile.Vector.self)
        }
    }

    private static func place(_ bin: Int) -> Int {
        bin / TonePlan.toneCount * width + ArrivalProfile.tonesReach + bin % TonePlan.toneCount
    }

    private static func place(_ place: Int, _ tone: Int) -> Int {
        place / ArrivalProfile.vectors * width + tone + place % ArrivalProfile.vectors * 8
    }
}

extension ArrivalProfile.Vector {
    /// Returns the product of all elements.
    func product() -> Float {
        let four = lowHalf * highHalf
        let two = four.lowHalf * four.highHalf
        return two.x * two.y
    }
}
