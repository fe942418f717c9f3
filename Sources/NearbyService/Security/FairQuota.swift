/// Room of a whole project, which no network can fill alone: as ``FairBudget``, for what is kept instead of spent.
struct FairQuota: Sendable {
    private(set) var used = 0
    private var shares: [IPAddress: Int] = [:]

    /// How much more that network may take. Of the first half, all that is left; of the other half, its share.
    ///
    /// - Parameter limit: of the whole project.
    func room(for network: ClientNetwork?, limit: Int) -> Int {
        let share = limit / 2 / Int(FairBudget.shareCount)
        let own = max(0, share - (network.flatMap { shares[$0.network] } ?? 0))
        return max(0, min(limit - used, max(limit / 2 - used, own)))
    }

    /// - Parameters:
    ///   - amount: negative: it gives back.
    ///   - network: nil: of a device that was known before this service began.
    mutating func take(_ amount: Int, for network: ClientNetwork?) {
        used += amount
        guard let network = network?.network else { return }
        let left = shares[network, default: 0] + amount
        shares[network] = left > 0 ? left : nil
    }
}
