import Nearby

// The fields of the engine's values in records: their reading and writing side by side. `fields.js` is the
// other end.

/// The lists whose indices are the codes; the script has the same lists.
enum Codes {
    static let media: [Medium] = [.audio, .ble]
    static let permissions: [Permission] = [.undecided, .granted, .denied]
    static let obstacles: [MediumCondition.Obstacle] = [
        .missing, .forbidden, .poweredOff, .failing, .heldBack,
    ]
    static let verdicts: [TokenVerdict] = [.valid, .invalid, .notJudged]
    static let changes: [Answer.Change] = [.found, .updated, .lost]
}

extension RecordReader {
    mutating func code<Value>(_ values: [Value]) throws(WebError) -> Value {
        let code = Int(try byte())
        guard values.indices.contains(code) else { throw .outOfRange }
        return values[code]
    }

    /// Reads a duration of up to some 30 years, either way.
    mutating func duration() throws(WebError) -> Duration {
        .microseconds(try whole(in: -1_000_000_000_000_000...1_000_000_000_000_000))
    }

    mutating func operationID() throws(WebError) -> OperationID {
        OperationID(UInt64(try whole(in: 1...0x1F_FFFF_FFFF_FFFF)))
    }

    mutating func signal() throws(WebError) -> Sighting.Signal {
        let snr = try optional { reader throws(WebError) in Float(try reader.double()) }
        let rssi = try optional { reader throws(WebError) in try reader.whole(in: -1000...1000) }
        return Sighting.Signal(snrDecibels: snr, rssiDBm: rssi.map { Int($0) })
    }

    mutating func condition() throws(WebError) -> MediumCondition {
        var condition = MediumCondition()
        for role in Role.allCases {
            let obstacle = try optional { reader throws(WebError) in try reader.code(Codes.obstacles) }
            let reason = try optional { reader throws(WebError) in try reader.text() }
            condition.set(obstacle, because: reason, on: role)
        }
        if try flag() { condition.profiles.insert(.near) }
        return condition
    }

    mutating func strategy() throws(WebError) -> Strategy {
        let (media, mode) = (try byte(), try byte())
        guard media < 4, mode < 4 else { throw .outOfRange }
        let named = Codes.media.enumerated().filter { media >> $0.offset & 1 == 1 }.map { $0.element }
        return Strategy(
            media: Set(named), mode: Strategy.Mode(rawValue: mode), allowInBackground: try flag(),
            timeToLive: try optional { reader throws(WebError) in try reader.duration() },
            reach: try flag() ? .earshot : .anywhere, isMutual: try flag())
    }

    mutating func rule() throws(WebError) -> MessageFilter.Rule {
        switch try byte() {
        case 0: .namespace(try text())
        case 1: .type(try text(), namespace: try text())
        case 2: .audioBytes
        default: throw .outOfRange
        }
    }
}

extension RecordWriter {
    mutating func put<Value: Equatable>(_ value: Value, _ codes: [Value]) {
        put(code: UInt8(codes.firstIndex(of: value) ?? 255))
    }

    mutating func put(_ id: OperationID) { put(Double(id.number)) }

    mutating func put(_ message: Message) {
        put(message.namespace)
        put(message.type)
        put(message.content)
    }

    mutating func put(_ strategy: Strategy) {
        put(code: mask(strategy.media))
        put(code: strategy.mode.rawValue)
        put(strategy.allowInBackground)
        put(strategy.timeToLive) { $0.put($1) }
        put(strategy.reach == .earshot)
        put(strategy.isMutual)
    }

    func mask(_ media: Set<Medium>) -> UInt8 {
        (media.contains(.audio) ? 1 : 0) | (media.contains(.ble) ? 2 : 0)
    }

    mutating func put(_ rule: MessageFilter.Rule) {
        switch rule {
        case .namespace(let name):
            put(code: 0)
            put(name)
        case .type(let type, let name):
            put(code: 1)
            put(type)
            put(name)
        case .audioBytes: put(code: 2)
        }
    }

    mutating func put(_ signal: Sighting.Signal) {
        put(signal.snrDecibels) { $0.put(Double($1)) }
        put(signal.rssiDBm) { $0.put(Double($1)) }
    }

    mutating func put(_ condition: MediumCondition) {
        for role in Role.allCases {
            put(condition[role]) { $0.put($1, Codes.obstacles) }
            put(condition.reasons[role]) { $0.put($1) }
        }
        put(condition.profiles.contains(.near))
    }
}
