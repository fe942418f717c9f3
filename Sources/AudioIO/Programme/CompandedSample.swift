/// The values of one of G.711's laws, and the mapping back to the nearest code.
struct CompandingTable: Sendable {
    /// The 16-bit value of each code.
    let values: [Int]
    /// All values in ascending order, each with its code.
    private let steps: [(value: Int, code: UInt8)]

    init(_ decode: (UInt8) -> Int) {
        values = (0...255).map { decode(UInt8($0)) }
        // Zero has two codes, and encoders write the later one.
        let codes = Dictionary(values.enumerated().map { ($1, UInt8($0)) }) { _, later in later }
        steps = codes.map { (value: $0, code: $1) }.sorted { $0.value < $1.value }
    }

    /// Returns the code of the nearest value.
    func code(_ value: Int) -> UInt8 {
        var (low, high) = (0, steps.count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if steps[middle].value <= value { low = middle } else { high = middle }
        }
        let isLow = value - steps[low].value <= steps[high].value - value
        return steps[isLow ? low : high].code
    }

    static let muLaw = CompandingTable { code in
        let bits = Int(~code)
        let magnitude = (bits & 0xF) << 3 + 0x84
        let value = magnitude << (bits >> 4 & 7) - 0x84
        return bits & 0x80 == 0 ? value : -value
    }

    static let aLaw = CompandingTable { code in
        let bits = Int(code ^ 0x55)
        let (segment, step) = (bits >> 4 & 7, (bits & 0xF) << 4)
        let value = segment == 0 ? step + 8 : (step + 0x108) << (segment - 1)
        return bits & 0x80 != 0 ? value : -value
    }
}

enum MuLawSample: IntegerSample {
    static var byteCount: Int { 1 }
    static var bits: Int { 16 }
    static var greatest: Int { 32_124 }
    static var least: Int { -32_124 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int {
        CompandingTable.muLaw.values[Int(place.load(as: UInt8.self))]
    }
    @inline(__always) static func store(_ value: Int, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: CompandingTable.muLaw.code(value), as: UInt8.self)
    }
}

enum ALawSample: IntegerSample {
    static var byteCount: Int { 1 }
    static var bits: Int { 16 }
    static var greatest: Int { 32_256 }
    static var least: Int { -32_256 }
    @inline(__always) static func load(_ place: UnsafeRawPointer) -> Int {
        CompandingTable.aLaw.values[Int(place.load(as: UInt8.self))]
    }
    @inline(__always) static func store(_ value: Int, _ place: UnsafeMutableRawPointer) {
        place.storeBytes(of: CompandingTable.aLaw.code(value), as: UInt8.self)
    }
}
