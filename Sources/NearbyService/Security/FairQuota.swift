/// The storage quota of a whole project, which no single network can fill. It works as `FairBudget` does,
/// but for things that are kept instead of spent.
struct FairQuota: Sendable {
    private(set) var used = 0
    private var shares: [IPAddress: Int] = [:]

    /// Returns the amount that this network may take in addition. A network may take all that is left of the
    /// first half, but only its share of the other half.
    ///
    /// - Parameter limit: the quota of the whole project.
    func room(for network: ClientNetwork?, limit: Int) -> Int {
        let share = max(1, limit / 2 / Int(FairBudget.shareCount))
        let own = max(0, share - (network.flatMap { shares[$0.network] } ?? 0))
        return max(0, min(limit - used, max(limit / 2 - used, own)))
    }

    /// - Parameters:
    ///   - amount: the amount to take; a negative amount gives something back.
    ///   - network: the network of the device; `nil` if the device was known before this service began.
    mutating func take(_ amount: Int, for network: ClientNetwork?) {
        used += amount
        guard let network = network?.network else { return }
        let left = shares[network, default: 0] + amount
        shares[network] = left > 0 ? left : nil
    }
}
