import Nearby

/// Tokens that are heard by more devices, or from more networks, than a room has: somebody may carry the sound elsewhere.
///
/// It only says so. A relay cannot be told from a large hall by counting; whoever runs the server knows which it is.
struct RelayWatch: Sendable {
    private struct Heard: Sendable {
        var listeners = DistinctCount()
        var networks = DistinctCount()
        var isTold = false
        let end: Instant
    }

    private var heard: [Token: Heard] = [:]
    private var nextSweep = Instant.start

    /// Notes that a valid token was heard. Returns whether it is suspect from now on: once for each token.
    ///
    /// - Parameter network: a hash of the ``ClientNetwork/network`` that the report came from.
    mutating func note(
        _ token: Token, by secret: SecretHash, network: Int, settings: ServiceSettings, now: Instant
    ) -> Bool {
        sweep(now)
        var one = heard[token] ?? Heard(end: now + settings.registry.tokenLife)
        one.listeners.note(secret.hashValue)
        one.networks.note(network)
        let isSuspect =
            one.listeners.estimate > settings.listenersPerToken
            || one.networks.estimate > settings.networksPerToken
        let isNew = isSuspect && !one.isTold
        one.isTold = isSuspect || one.isTold
        heard[token] = one
        return isNew
    }

    private mutating func sweep(_ now: Instant) {
        guard now >= nextSweep else { return }
        nextSweep = now + .seconds(10)
        heard = heard.filter { $0.value.end > now }
    }
}

/// How many different ones there were, about, in 128 bits, one of which each sets: linear counting (Whang, Vander-Zanden and Taylor
/// 1990). Within a fifth in 19 of 20 cases up to 200; never more than 695.
struct DistinctCount: Sendable {
    private var bits: UInt128 = 0

    /// - Parameter hash: evenly spread.
    mutating func note(_ hash: Int) { bits |= 1 << UInt128(UInt(bitPattern: hash) & 127) }

    var estimate: Int { DistinctCount.estimates[bits.nonzeroBitCount] }

    /// By the number of ones: so many different ones set them on average (the coupon collector's sum).
    private static let estimates: [Int] = {
        var (sum, table) = (0.0, [0])
        for ones in 1...128 {
            sum += 128 / Double(129 - ones)
            table.append(Int(sum.rounded()))
        }
        return table
    }()
}
