import Nearby

extension ProjectState {
    /// Removes a device as if it had unregistered. Nothing changes if there is no such device.
    mutating func expel(_ secret: SecretHash) -> Effects {
        var effects = Effects()
        if let device = devices[secret] { post(registry.expel(device), &effects) { _ in .expelled } }
        return effects
    }

    /// Returns the hashes of the devices that match, in order, and at most one more than a page has.
    ///
    /// One pass over all devices, which keeps only the page: no index costs memory for the sake of a search
    /// that an operator makes now and then.
    func search(_ query: DeviceQuery) -> [SecretHash] {
        var page: [SecretHash] = []
        for member in members.values {
            let hash = member.secret
            if let hashes = query.hashes, !hashes.contains(hash) { continue }
            if let after = query.after, hash <= after { continue }
            if let label = query.label, !(member.label?.utf8.starts(with: label.utf8) ?? false) { continue }
            let isFull = page.count > query.limit
            if isFull, hash > page[page.count - 1] { continue }
            page.insert(hash, at: page.firstIndex { $0 > hash } ?? page.count)
            if isFull { page.removeLast() }
        }
        return page
    }

    /// - Parameter isStreaming: true if the device's stream of events is open.
    func overview(of hash: SecretHash, isStreaming: Bool, now: Instant) -> DeviceOverview? {
        guard let device = devices[hash], let member = members[device], let record = stored(hash)?.record
        else { return nil }
        return DeviceOverview(
            hash: hash, key: member.key, label: member.label, isStreaming: isStreaming,
            isNearAny: isNearAny(device),
            sinceReport: member.lastReport.map { now.offset - $0.offset },
            publications: record.published.count, subscriptions: record.subscribed.count,
            tokens: Medium.allCases.compactMap { medium in
                guard let end = registry.tokenEnd(of: device, on: medium), end > now else {
                    return nil
                }
                return .init(medium: medium, remaining: end.offset - now.offset)
            })
    }
}
