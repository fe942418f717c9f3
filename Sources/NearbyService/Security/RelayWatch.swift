import Nearby

/// A detector of tokens that more devices, or more networks, hear than one room holds. Such a token may be
/// relayed to another place.
///
/// The detector only reports these tokens. Counting cannot tell a relay from a large hall; the operator of
/// the server knows which of the two it is.
struct RelayWatch: Sendable {
    private struct Heard: Sendable {
        var listeners = DistinctCount()
        var networks = DistinctCount()
        var isReported = false
        let end: Instant

        /// Returns true if this makes the token suspect.
        mutating func note(
            _ listener: SecretHash, _ network: IPAddress, _ settings: ServiceSettings
        ) -> Bool {
            listeners.note(listener.hashValue)
            networks.note(network.hashValue)
            let isSuspect =
                listeners.estimate > settings.listenersPerToken
                || networks.estimate > settings.networksPerToken
            defer { isReported = isSuspect || isReported }
            return isSuspect && !isReported
        }
    }

    private var heard: [Token: Heard] = [:]
    private var nextSweep = Instant.start

    /// Notes that a valid token was heard. Returns true if this makes the token suspect, which happens once
    /// for each token.
    mutating func note(
        _ token: Token, by secret: SecretHash, at client: ClientNetwork, settings: ServiceSettings,
        now: Instant
    ) -> Bool {
        sweep(now)
        return heard[token, default: Heard(end: now + settings.registry.tokenLife)]
            .note(secret, client.network, settings)
    }

    private mutating func sweep(_ now: Instant) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(10)
        heard = heard.filter { $0.value.end > now }
    }
}

/// An approximate count of distinct values in 128 bits. Each value sets one bit (linear counting; Whang,
/// Vander-Zanden and Taylor 1990). Up to 200 values, the estimate is within a fifth in 19 of 20 cases; it
/// never exceeds 695.
struct DistinctCount: Sendable {
    private var bits: UInt128 = 0

    /// - Parameter hash: a hash of the value, evenly distributed.
    mutating func note(_ hash: Int) { bits |= 1 << UInt128(UInt(bitPattern: hash) & 127) }

    var estimate: Int { DistinctCount.estimates[bits.nonzeroBitCount] }

    /// The estimates by the number of bits that are set: the number of different values that set that many
    /// bits on average (the coupon collector's sum).
    private static let estimates: [Int] = {
        var (sum, table) = (0.0, [0])
        for ones in 1...128 {
            sum += 128 / Double(129 - ones)
            table.append(Int(sum.rounded()))
        }
        return table
    }()
}
