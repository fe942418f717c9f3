import Nearby
import NearbyWire

/// An event that the page passes to its engine, with its time.
struct WebEvent {
    enum Kind {
        case execute([Operation])
        case permission(Permission)
        case background(Bool)
        case happened(MediumEvent, on: Medium)
        /// A server's answer to the report in flight. The verdicts, and how long each token counts as heard,
        /// are in the order of the report's observations.
        case answered(
            Answer, verdicts: [TokenVerdict], patience: [Duration], mailbox: String?, news: Int64?)
        /// An unsolicited notification of a server, which may say how often it asks for reports, and
        /// bring tokens.
        case notified(Mailbox.Batch, keepAlive: Duration?, [Answer.Grant])
        case failed(RegistryError)
        case advance
        case end
    }

    var kind: Kind
    /// The time of a clock that never goes back.
    var nowMicroseconds: Int64
    /// The wall-clock time since 1970, UTC.
    var wallMicroseconds: Int64
}

extension RecordReader {
    /// The limit for both clocks: some 140 years.
    private static var longest: Int64 { 1 << 52 }

    mutating func event() throws(WebError) -> WebEvent {
        let code = try byte()
        let now = try whole(in: 0...Self.longest)
        let wall = try whole(in: 0...Self.longest)
        let kind = try kind(code)
        try end()
        return WebEvent(kind: kind, nowMicroseconds: now, wallMicroseconds: wall)
    }

    private mutating func kind(_ code: UInt8) throws(WebError) -> WebEvent.Kind {
        switch code {
        case 1: .execute(try list { reader throws(WebError) in try reader.operation() })
        case 2: .permission(try self.code(Codes.permissions))
        case 3: .background(try flag())
        case 4: .happened(.condition(try condition()), on: .audio)
        case 5: .happened(.sent, on: .audio)
        case 6: try sighted()
        case 7: try answered()
        case 8: try notified()
        case 9: .failed(try registryError())
        case 10: .advance
        case 11: .end
        default: throw .outOfRange
        }
    }

    private mutating func message() throws(WebError) -> Message {
        let (namespace, type) = (try text(), try text())
        // The length is not limited here: `Message` reports content that is too long.
        let content = try bytes()
        do throws(NearbyError) {
            return try Message(content, type: type, namespace: namespace)
        } catch {
            throw .refused(error)
        }
    }

    private mutating func operation() throws(WebError) -> Operation {
        switch try byte() {
        case 1: .publish(try operationID(), try publication())
        case 2: .republish(try operationID(), try message())
        case 3: .unpublish(try operationID())
        case 4:
            .subscribe(
                try operationID(),
                Subscription(
                    MessageFilter(Set(try list { reader throws(WebError) in try reader.rule() })),
                    strategy: try strategy()))
        case 5: .unsubscribe(try operationID())
        default: throw .outOfRange
        }
    }

    private mutating func publication() throws(WebError) -> Publication {
        guard try flag() else { return Publication(try message(), strategy: try strategy()) }
        let bytes = try self.bytes()
        let strategy = try self.strategy()
        do throws(NearbyError) {
            var publication = Publication(try AudioBytes(bytes))
            publication.strategy = strategy
            return publication
        } catch {
            throw .refused(error)
        }
    }

    private mutating func sighted() throws(WebError) -> WebEvent.Kind {
        let (frame, age, signal) = (try bytes(), try duration(), try signal())
        guard let payload = Sighting.Payload(frame: frame) else { throw .outOfRange }
        return .happened(
            .sighted(Sighting(payload, on: .audio, age: max(.zero, age), signal: signal)), on: .audio)
    }

    // MARK: Messages of a server

    private mutating func answered() throws(WebError) -> WebEvent.Kind {
        var answer = Answer()
        let verdicts = try list { reader throws(WebError) in try reader.code(Codes.verdicts) }
        let patience = try list { reader throws(WebError) in try reader.duration() }
        let refused = try list { reader throws(WebError) in (try reader.operationID(), try reader.text()) }
        for (id, why) in refused { answer.refused[id] = why }
        let batch = try self.batch()
        answer.deliveries = batch.deliveries
        answer.keepAlive = try keepAlive()
        answer.grants = try grants()
        return .answered(
            answer, verdicts: verdicts, patience: patience, mailbox: batch.mailbox, news: batch.last)
    }

    private mutating func notified() throws(WebError) -> WebEvent.Kind {
        let batch = try self.batch()
        return .notified(batch, keepAlive: try keepAlive(), try grants())
    }

    private mutating func grants() throws(WebError) -> [Answer.Grant] {
        try list { reader throws(WebError) in
            .init(
                Token(bits: try reader.name()), on: try reader.code(Codes.media),
                startsIn: max(.zero, try reader.duration()), timeToLive: try reader.duration())
        }
    }

    private mutating func keepAlive() throws(WebError) -> Duration? {
        let time = try optional { reader throws(WebError) in try reader.duration() }
        if let time, time <= .zero { throw .outOfRange }
        return time
    }

    private mutating func batch() throws(WebError) -> Mailbox.Batch {
        let mailbox = try optional { reader throws(WebError) in try reader.text() }
        let news = try optional { reader throws(WebError) in try reader.whole(in: 0...0x1F_FFFF_FFFF_FFFF) }
        let deliveries = try list { reader throws(WebError) in try reader.delivery() }
        return Mailbox.Batch(mailbox: mailbox, last: news, deliveries)
    }

    private mutating func delivery() throws(WebError) -> Answer.Delivery {
        let (change, id) = (try code(Codes.changes), try operationID())
        let discovery = Discovery(id: PublicationID(bits: try name()), message: try message())
        return .init(change, discovery, to: id)
    }

    private mutating func registryError() throws(WebError) -> RegistryError {
        switch try byte() {
        case 0: .unreachable(try text())
        case 1: .unknownDevice
        case 2: .rateLimited(retryAfter: max(.zero, try duration()))
        case 3: .refused(try text())
        case 4: .notReady(try text())
        default: throw .outOfRange
        }
    }
}
