import Coding
import Signal

/// The role of each symbol of a frame: a known sync tone, or a data symbol with its scrambler word.
///
/// Both ends build it from the profile, lane and token class.
struct FSKFrameLayout: Sendable {
    /// The sync tones and their symbol positions, in order.
    let syncs: [(symbol: Int, tone: Int)]
    /// The symbol position of each data symbol. `[dataCount]`
    let dataSymbols: [Int]
    /// The words XORed with the labels of the code, so that an echo falls on a random competitor.
    /// `[dataCount]`
    let scrambler: [UInt8]

    static let laneCount = 4

    var symbolCount: Int { syncs.count + dataSymbols.count }

    init(profile: FSKProfile, lane: Int, tokenClass: TokenClass) {
        let rhythm = FSKFrameLayout.rhythm(profile)
        let tones = FSKFrameLayout.syncTones(profile, lane: lane)
        let dataCount = profile.dataCount(tokenClass)
        var syncs: [(symbol: Int, tone: Int)] = []
        var dataSymbols: [Int] = []
        var symbol = 0
        // The first symbol of a period is the last one of the period before.
        let period = profile.searchedSymbolCount - 1
        while dataSymbols.count < dataCount || symbol == period {
            if rhythm.contains(symbol % period) {
                syncs.append((symbol, tones[syncs.count % tones.count]))
            } else {
                dataSymbols.append(symbol)
            }
            symbol += 1
        }
        (self.syncs, self.dataSymbols) = (syncs, dataSymbols)
        let seed =
            0x46534B << 40 | profile.scramblerFamily << 32 | UInt64(tokenClass.capacity) << 16 | UInt64(lane)
            << 8
        var generator = SplitMix64(seed: seed)
        scrambler = (0..<dataCount).map { _ in UInt8(generator.next() >> 58) }
    }

    /// Returns the places of the sync symbols in a period.
    private static func rhythm(_ profile: FSKProfile) -> Set<Int> {
        let (count, gaps) = (profile.searchedSymbolCount - 1, profile.syncCount - 1)
        return Set((0..<gaps).map { (2 * $0 * count + gaps) / (2 * gaps) })
    }

    /// Returns one tone from each part of the band, in an order that belongs to the lane: no lane is another
    /// one shifted.
    private static func syncTones(_ profile: FSKProfile, lane: Int) -> [Int] {
        let count = profile.syncCount
        var generator = SplitMix64(seed: 0x5359_4E43 << 16 | profile.scramblerFamily << 8 | UInt64(lane))
        let order = Permutation(count: count, using: &generator).order
        return order.map { part in
            (2 * part + 1) * TonePlan.toneCount / (2 * count) + Int(generator.next() >> 62) - 2
        }
    }
}
