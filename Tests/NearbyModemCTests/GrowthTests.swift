import CFirstHeader
import CNearbyModem
import Testing

@testable import NearbyModemC

/// Tests of programs and libraries of different versions, where one side's structures are shorter or longer
/// than the other's.
@Suite struct GrowthTests {
    /// A structure as some later version might have it.
    private struct Later: GrowingStructure {
        static var firstSize: Int { 24 }

        var size = 24
        var first = 1.0
        var second = 2.0
        /// A field that was added later; its default is not 0.
        var added = 3.0
        var addedLast = 4.0
    }

    /// Reads or writes through memory that holds `size` bytes of a structure and 0xA5 after them.
    private func withCaller(
        size: Int, _ body: (UnsafeMutablePointer<Later>) throws -> Void
    ) rethrows -> [UInt8] {
        try withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
            memory.storeBytes(of: size, as: Int.self)
            try body(memory.baseAddress!.assumingMemoryBound(to: Later.self))
            return Array(memory)
        }
    }

    @Test(arguments: [(24, [3.0, 4]), (32, [30, 4]), (40, [30, 40]), (200, [30, 40])])
    func callersOfAnyVersionAreRead(size: Int, added: [Double]) throws {
        let given = Later(size: size, first: 10, second: 20, added: 30, addedLast: 40)
        _ = try withCaller(size: size) { caller in
            withUnsafeBytes(of: given) { bytes in
                UnsafeMutableRawPointer(caller).copyMemory(
                    from: bytes.baseAddress!, byteCount: min(size, bytes.count))
            }
            let read = try Structure.read(caller, or: Later())
            #expect([read.first, read.second, read.added, read.addedLast] == [10, 20] + added)
        }
    }

    @Test(arguments: [24, 32, 40, 200]) func callersOfAnyVersionAreFilled(size: Int) throws {
        let memory = try withCaller(size: size) {
            try Structure.write(
                Later(size: 1, first: 10, second: 20, added: 30, addedLast: 40), to: $0, "x")
        }
        let written = min(size, MemoryLayout<Later>.size)
        #expect(memory[written...].allSatisfy { $0 == 0xA5 }, "nothing beyond the caller's structure")
        memory.withUnsafeBytes {
            #expect($0.load(as: Int.self) == size, "the caller's size stays")
            for (n, value) in [10.0, 20, 30, 40].prefix((written - 8) / 8).enumerated() {
                #expect($0.load(fromByteOffset: 8 * (n + 1), as: Double.self) == value)
            }
        }
    }

    @Test(arguments: [-1, 0, 8, 23, 1 << 17]) func sizesOfNoVersionAreRefused(size: Int) {
        _ = withCaller(size: size) { caller in
            #expect(throws: Refusal.self) { try Structure.read(caller, or: Later()) }
            #expect(throws: Refusal.self) { try Structure.write(Later(), to: caller, "x") }
        }
    }

    @Test func programsOfTheFirstVersionRun() {
        let wrong = first_header_try().map { String(cString: $0) }
        #expect(wrong == nil)
    }

    /// The sizes of the first programs' structures are the least sizes that this library accepts.
    @Test func firstSizesAreThoseOfTheFirstVersion() {
        var sizes = [Int](repeating: 0, count: 7)
        first_header_sizes(&sizes)
        let report = MemoryLayout<first_report>.size
        #expect(
            sizes == [
                nbm_profile.firstSize, nbm_mixer_options.firstSize, nbm_level.firstSize,
                nbm_mixer_status.firstSize, nbm_receiver_options.firstSize, report,
                nbm_offline_project.firstSize,
            ])
        #expect(MemoryLayout<nbm_report>.size >= report)
        #expect(MemoryLayout<nbm_offline_frame>.size == 36, "it has no size, and never changes")
    }
}
