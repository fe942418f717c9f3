/// A successive-cancellation list decoder of a ``PolarCode`` from soft bits.
///
/// It takes whole-subtree steps at frozen and repetition nodes. Soft bits must also have the scale of LLRs,
/// since products of small ones count. Paths share their arrays by reference count and copy only what they
/// overwrite. References: Tal, Vardy, *List Decoding of Polar Codes*, IEEE Trans. IT 61(5), 2015;
/// Balatsoukas-Stimming et al., *LLR-based SCL*, IEEE Trans. SP 63(19), 2015.
///
/// Results stand in the decoder until the next ``decode(_:listSize:)``, best path first.
package struct PolarListDecoder: Sendable {
    package let code: PolarCode
    package let largestList: Int
    private var workspace: PolarWorkspace

    package init(code: PolarCode, largestList: Int) {
        precondition((1...512).contains(largestList), "list sizes from 1 to 512")
        self.code = code
        self.largestList = largestList
        workspace = PolarWorkspace(code: code, largestList: largestList)
    }

    /// Decodes `[code.length]` soft bits. Complexity: O(listSize · N log N).
    package mutating func decode(_ soft: UnsafePointer<SoftBit>, listSize: Int) {
        precondition(listSize <= largestList)
        // Copies of a receiver share scratch until one of them works; its content is never read again.
        if !isKnownUniquelyReferenced(&workspace) {
            workspace = PolarWorkspace(code: code, largestList: largestList)
        }
        workspace.decode(soft, listSize: listSize)
    }

    /// The number of paths that the last decoding ended with.
    package var pathCount: Int { workspace.ranking.count }

    /// Returns the info bits of the path ranked `rank`, 0 the likeliest.
    package func infoBits(rank: Int) -> UnsafeBufferPointer<UInt8> {
        workspace.info(path: workspace.ranking[rank])
    }

    /// Returns the coded bits of that path, as 0 or 1.
    package func codeword(rank: Int) -> [UInt8] {
        workspace.codeword(path: workspace.ranking[rank])
    }

    /// Returns Σ ± soft bit over that path's coded bits, with + for 1: in LLRs, twice the path's log
    /// likelihood.
    package func correlation(rank: Int, with soft: [SoftBit]) -> Float {
        precondition(soft.count == code.length)
        return workspace.correlation(path: workspace.ranking[rank], with: soft)
    }
}
