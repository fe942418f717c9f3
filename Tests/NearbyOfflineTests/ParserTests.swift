import Signal
import Testing

@testable import NearbyOffline

@Suite struct ParserTests {
    private func entry(_ slot: UInt8, _ text: String) -> Bulletin.Entry {
        .init(slot: slot, isForEarshot: slot % 2 == 0, namespace: "n", type: "t", content: Array(text.utf8))
    }

    @Test func bulletinsComeBack() throws {
        let bulletin = Bulletin(entries: [entry(1, "Anna"), entry(2, ""), entry(127, "Bea")])
        let bytes = try #require(bulletin.signedBytes(isSigned: false))
        #expect(Bulletin(bytes) == bulletin)
        let signed = try #require(bulletin.signedBytes(isSigned: true)) + [UInt8](repeating: 5, count: 64)
        #expect(Bulletin(signed)?.signature == [UInt8](repeating: 5, count: 64))
        #expect(Bulletin(signed)?.entries == bulletin.entries)
        for count in 0..<bytes.count { #expect(Bulletin(Array(bytes.prefix(count))) != bulletin) }
    }

    @Test func otherBytesAreNoBulletin() {
        let wrong: [[UInt8]] = [
            [], [0], [0x12], [0x10, 1], [0x10, 1, 0, 0, 1], [0x11], [0x11] + [UInt8](repeating: 0, count: 63),
            // The slots do not ascend, or the type is not UTF-8.
            [0x10, 1, 0, 0, 0, 1, 0, 0, 0], [0x10, 1, 0, 1, 0, 0xFF],
        ]
        for bytes in wrong { #expect(Bulletin(bytes) == nil) }
    }

    @Test(arguments: [1, 16, 17, 18, 100, 272])
    func fragmentsComeTogetherInAnyOrder(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let fragments = try #require(Fragment.split(bytes, sender: 9, generation: 2))
        #expect(fragments.allSatisfy { Fragment($0.bytes) == $0 })
        var random = SplitMix64(seed: UInt64(count))
        var assembly = Assembly()
        // Each comes twice; the last missing one completes the bytes, once.
        let shuffled = fragments.shuffled(using: &random)
        let whole = shuffled.dropLast().flatMap { [$0, $0] } + [shuffled[shuffled.count - 1]]
        #expect(whole.compactMap { assembly.add($0) } == [bytes])
        #expect(assembly.isEmpty)
    }

    @Test func tooMuchIsNotSplit() {
        #expect(Fragment.split([], sender: 1, generation: 1) == nil)
        #expect(Fragment.split([UInt8](repeating: 0, count: 273), sender: 1, generation: 1) == nil)
    }

    /// There are 200 000 random inputs. An accepted one is written again exactly as it came.
    @Test func parsersNeverTrap() {
        var random = SplitMix64(seed: 3)
        var assembly = Assembly()
        for n in 0..<200_000 {
            let count = Int(random.next() % 100)
            var bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() % 20) }
            if n % 2 == 0, !bytes.isEmpty { bytes[0] = 0x10 + UInt8(n / 2 % 2) }
            if let bulletin = Bulletin(bytes) {
                let written = bulletin.signedBytes(isSigned: bulletin.signature != nil)
                #expect(written.map { $0 + (bulletin.signature ?? []) } == bytes)
            }
            if let fragment = Fragment(bytes) {
                #expect(fragment.bytes == bytes)
                _ = assembly.add(fragment)
            }
        }
    }
}
