import Nearby
import Testing

@Suite struct ValuesTests {
    @Test(arguments: [
        (UInt64(0), "AAAAAAAAAAA"), (.max, "__________8"), (0x0123_4567_89AB_CDEF, "ASNFZ4mrze8"),
    ])
    func tokensAreWrittenAsBase64url(bits: UInt64, text: String) {
        #expect(Token(bits: bits).description == text)
        #expect(Token(bytes: Token(bits: bits).bytes) == Token(bits: bits))
        #expect(Token(bytes: [1, 2, 3]) == nil)
    }

    @Test func messagesAreBounded() throws {
        #expect(try Message([UInt8](repeating: 0, count: 102_400)).content.count == 102_400)
        #expect(throws: NearbyError.contentTooLarge(byteCount: 102_401)) {
            try Message([UInt8](repeating: 0, count: 102_401))
        }
        // The type has 32 characters, each of several code points.
        let type = String(repeating: "👩‍🚀", count: 32)
        #expect(try Message("", type: type).type == type)
        #expect(throws: NearbyError.typeTooLong(characterCount: 33)) { try Message("", type: type + "x") }
    }

    /// One character can be megabytes long, which registries would store for everyone.
    @Test func namesAreBounded() throws {
        let name = "e" + String(repeating: "\u{301}", count: 254)
        #expect(name.count == 1)
        #expect(try Message("", type: name, namespace: name).type == name)
        let error = NearbyError.nameTooLong(scalarCount: 256)
        #expect(throws: error) { try Message("", type: name + "\u{301}") }
        #expect(throws: error) { try Message("", namespace: name + "\u{301}") }
        #expect(throws: Never.self) { try Subscription(.type(name, namespace: name)).validate() }
        for rule in [
            MessageFilter.Rule.namespace(name + "\u{301}"), .type("", namespace: name + "\u{301}"),
            .type(name + "\u{301}", namespace: ""),
        ] {
            #expect(throws: error) { try Subscription(MessageFilter([rule])).validate() }
        }
        let types = (0..<MessageFilter.maximumRuleCount).map { "\($0)" }
        #expect(throws: Never.self) { try Subscription(.types(types)).validate() }
        #expect(throws: NearbyError.tooManyRules(count: 101)) {
            try Subscription(.types(types + ["more"])).validate()
        }
    }

    @Test(arguments: 1...10)
    func audioBytesAreNoTokens(count: Int) throws {
        let bytes = try AudioBytes((0..<count).map { UInt8($0) })
        #expect((9...11).contains(bytes.frame.count))
        #expect(Sighting.Payload(frame: bytes.frame) == .audioBytes(bytes))
    }

    @Test func otherFramesAreNothing() throws {
        #expect(throws: NearbyError.audioBytesOutOfRange(byteCount: 0)) { try AudioBytes([]) }
        #expect(throws: NearbyError.audioBytesOutOfRange(byteCount: 11)) {
            try AudioBytes([UInt8](repeating: 1, count: 11))
        }
        let frames: [[UInt8]] = [
            [], [1], [UInt8](repeating: 0xA3, count: 7), [UInt8](repeating: 0, count: 9),
            [0xA1, 1, 2, 0, 0, 0, 0, 0, 0], [0xAB] + [UInt8](repeating: 1, count: 11),
            [0xA3, 1, 2, 3, 0, 0, 0, 0, 0, 0],
        ]
        for frame in frames { #expect(Sighting.Payload(frame: frame) == nil) }
    }

    @Test func filters() throws {
        let (plain, name) = (try Message("", type: ""), try Message("", type: "name"))
        let shop = try Message("", type: "name", namespace: "shop")
        func taken(_ filter: MessageFilter) -> [Bool] { [plain, name, shop].map(filter.matches) }
        #expect(taken(.everything) == [true, true, false])
        #expect(taken(.type("name")) == [false, true, false])
        #expect(taken(.type("name", namespace: "shop")) == [false, false, true])
        #expect(taken(MessageFilter([.namespace("shop")])) == [false, false, true])
        #expect(taken(.types(["", "price"])) == [true, false, false])
        #expect(taken(.type("name").union(.type("name", namespace: "shop"))) == [false, true, true])
        #expect(taken(.audioBytes) == [false, false, false])
    }

    @Test(arguments: [
        (Strategy(), NearbyError?.none),
        (Strategy(media: []), .noMedia),
        (Strategy(mode: []), .noMode),
        (Strategy(allowInBackground: true), .backgroundNeedsBLEOnly),
        (Strategy(media: [.audio], allowInBackground: true), .backgroundNeedsBLEOnly),
        (Strategy(media: [.ble], allowInBackground: true), nil),
        (Strategy(media: [.ble], reach: .earshot), .earshotNeedsAudio),
        (Strategy(timeToLive: .zero), .timeToLiveOutOfRange(.zero)),
        (Strategy(timeToLive: .seconds(86_401)), .timeToLiveOutOfRange(.seconds(86_401))),
        (Strategy(timeToLive: .seconds(86_400)), nil),
    ])
    func strategiesAreChecked(strategy: Strategy, error: NearbyError?) throws {
        do {
            try strategy.validate()
            #expect(error == nil)
        } catch let thrown {
            #expect(thrown == error)
            #expect(!thrown.description.contains("\n"))
        }
    }
}
