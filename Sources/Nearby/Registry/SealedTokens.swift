/// Tokens of which nobody keeps a list: each is a sealed number that says whose it is, when and where.
///
///     handle of the device 38 │ turn 24 │ medium 2      ── sealed with the key of the turn's day ──→  token
///
/// Each device has its turns at times of its own, which follow from the key. A turn takes 60 to 300 s:
///
///     turn    g − 1    │         g         │  g + 1
///     begin        180·g − 60…60      180·(g + 1) − 60…60       seconds since 1970
///
/// So the registry can name a device's tokens for hours ahead, and read them after a restart. A device has
/// one valid token on a medium at a time, as if they had been drawn.
struct SealedTokens: Sendable {
    /// The content of a token.
    struct Content: Sendable, Hashable {
        var handle: TokenHandle
        /// The number of the turn, counted from 1970.
        var turn: Int64
        var medium: Medium
    }

    /// A turn of a device. A registry keeps one for each device.
    struct Turn: Sendable, Hashable {
        private let shortNumber: Int32
        private let millis: Int32
        fileprivate let begin: Int64

        /// The number of the turn, counted from 1970.
        var number: Int64 { Int64(shortNumber) }
        fileprivate var end: Int64 { begin + Int64(millis) }

        /// The times are in milliseconds since 1970.
        fileprivate init(number: Int64, begin: Int64, end: Int64) {
            (shortNumber, millis, self.begin) = (Int32(number), Int32(end - begin), begin)
        }
    }

    private static let turnMillis: Int64 = 180_000
    /// The most by which a turn begins earlier or later than an even division of time would have it.
    private static let shiftMillis: Int64 = 60_000
    private static let turnsPerDay = 86_400_000 / turnMillis
    private static let turnBitCount: UInt64 = 24
    private static let turnMask: UInt64 = 1 << turnBitCount - 1
    private static let mediumBitCount: UInt64 = 2
    /// The place of a medium that there is not: such a number is sealed to draw the begin of a turn.
    private static let noMedium: UInt64 = 3

    /// The longest turn.
    static let longestTurn = Duration.milliseconds(turnMillis + 2 * shiftMillis)

    /// The keys of some days in a row.
    var keys: [TokenKey] = []
    /// The wall time at ``Instant/start``, in milliseconds since 1970.
    private let startUnixMillis: Int64

    init(startUnixMillis: Int64) { self.startUnixMillis = startUnixMillis }

    // MARK: Times

    private func unixMillis(_ time: Instant) -> Int64 {
        startUnixMillis + Int64((time.offset.inSeconds * 1000).rounded(.down))
    }

    private func day(ofTurn turn: Int64) -> Int { Int(turn / SealedTokens.turnsPerDay) }

    func day(at time: Instant) -> Int { day(ofTurn: unixMillis(time) / SealedTokens.turnMillis) }

    private func key(ofTurn turn: Int64) -> TokenKey? { keys.first { $0.day == day(ofTurn: turn) } }

    private func begin(ofTurn turn: Int64, of handle: TokenHandle) -> Int64? {
        guard let key = key(ofTurn: turn) else { return nil }
        let drawn = key.seal(SealedTokens.number(handle, turn: turn, SealedTokens.noMedium))
        let shift = Int64(drawn % UInt64(2 * SealedTokens.shiftMillis)) - SealedTokens.shiftMillis
        return turn * SealedTokens.turnMillis + shift
    }

    /// Returns a device's turn; `nil` without the keys for it.
    func turn(_ number: Int64, of handle: TokenHandle) -> Turn? {
        guard let begin = begin(ofTurn: number, of: handle) else { return nil }
        return turn(number, from: begin, of: handle)
    }

    /// Returns the device's turn that follows another; `nil` without the keys for it.
    func turn(after turn: Turn, of handle: TokenHandle) -> Turn? {
        self.turn(turn.number + 1, from: turn.end, of: handle)
    }

    private func turn(_ number: Int64, from begin: Int64, of handle: TokenHandle) -> Turn? {
        self.begin(ofTurn: number + 1, of: handle).map { Turn(number: number, begin: begin, end: $0) }
    }

    /// Returns the device's turn at a time; `nil` without the keys for it.
    func turn(at time: Instant, of handle: TokenHandle) -> Turn? {
        let middle = unixMillis(time) / SealedTokens.turnMillis
        return (middle - 1...middle + 1).lazy.compactMap { turn($0, of: handle) }
            .first { self.time(of: $0).contains(time) }
    }

    func time(of turn: Turn) -> Range<Instant> {
        Instant(
            offset: .milliseconds(turn.begin - startUnixMillis))..<Instant(
                offset: .milliseconds(turn.end - startUnixMillis))
    }

    // MARK: Tokens

    /// Returns the token that says so; `nil` without the key for it.
    func seal(_ content: Content) -> Token? {
        key(ofTurn: content.turn).map { key in
            let place = UInt64(Medium.allCases.firstIndex(of: content.medium)!)
            return Token(bits: key.seal(SealedTokens.number(content.handle, turn: content.turn, place)))
        }
    }

    /// Returns what a token of now, or of shortly before, says; `nil` if it is none. Hardly any other number
    /// seems to say something, and hardly any of those names the handle of a device.
    func open(_ token: Token, now: Instant) -> Content? {
        let present = unixMillis(now) / SealedTokens.turnMillis
        let turns = present - 2...present + 1
        var content: Content?
        for key in keys
        where key.day == day(ofTurn: turns.lowerBound) || key.day == day(ofTurn: turns.upperBound) {
            let number = key.open(token.bits)
            let place = Int(number & SealedTokens.noMedium)
            // The number has the last bits of the turn.
            let bits = Int64(number >> SealedTokens.mediumBitCount & SealedTokens.turnMask)
            let turn = present + SealedTokens.signed(bits - present)
            guard place < Medium.allCases.count, turns.contains(turn), day(ofTurn: turn) == key.day else {
                continue
            }
            let handle = number >> (SealedTokens.mediumBitCount + SealedTokens.turnBitCount)
            content = Content(
                handle: TokenHandle(bits: handle)!, turn: turn, medium: Medium.allCases[place])
        }
        return content
    }

    /// Returns the number of least magnitude that has the same last 24 bits.
    private static func signed(_ number: Int64) -> Int64 {
        let unused = Int64(Int64.bitWidth) - Int64(turnBitCount)
        return (number << unused) >> unused
    }

    private static func number(_ handle: TokenHandle, turn: Int64, _ place: UInt64) -> UInt64 {
        let bits = UInt64(truncatingIfNeeded: turn) & turnMask
        return handle.bits << (turnBitCount + mediumBitCount) | bits << mediumBitCount | place
    }
}
