/// A frame that was heard. Own ones included: by them the engine knows that it is heard.
public struct Sighting: Sendable, Hashable {
    /// What a frame carries: one of three things, told apart by their length.
    public enum Payload: Sendable, Hashable {
        /// Of a device; only its registry knows which.
        case token(Token)
        /// Published as they are, without a registry.
        case audioBytes(AudioBytes)
        /// For a registry that wants them: ``TokenRegistry/takesFrames``.
        case sealed(SealedFrame)
    }

    /// What the frame carried.
    public var payload: Payload
    /// On which it was heard; a token counts only on the one that it was issued for.
    public var medium: Medium
    /// Between its end on air and now.
    public var age: Duration
    /// How well it was heard.
    public var signal: Signal

    /// By default it ended just now, and nothing is known of how well it was heard.
    public init(_ payload: Payload, on medium: Medium, age: Duration = .zero, signal: Signal = Signal()) {
        (self.payload, self.medium, self.age, self.signal) = (payload, medium, age, signal)
    }

    /// How well it was heard, as far as the medium tells.
    public struct Signal: Sendable, Hashable {
        /// In the band of the transmission.
        public var snrDecibels: Float?
        /// How strongly it was received, by radio.
        public var rssiDBm: Int?

        /// What is not given, the medium does not tell.
        public init(snrDecibels: Float? = nil, rssiDBm: Int? = nil) {
            (self.snrDecibels, self.rssiDBm) = (snrDecibels, rssiDBm)
        }
    }
}

extension Sighting.Payload {
    /// What a medium carries: ``Token/byteCount`` bytes, ``AudioBytes/frame`` or a ``SealedFrame``. Nil for anything else.
    public init?(frame: [UInt8]) {
        if let token = Token(bytes: frame) {
            self = .token(token)
        } else if let bytes = AudioBytes(frame: frame) {
            self = .audioBytes(bytes)
        } else if let frame = SealedFrame(bytes: frame) {
            self = .sealed(frame)
        } else {
            return nil
        }
    }

    /// The bytes that the medium carries; ``init(frame:)`` reads them.
    public var frame: [UInt8] {
        switch self {
        case .token(let token): token.bytes
        case .audioBytes(let bytes): bytes.frame
        case .sealed(let frame): frame.bytes
        }
    }
}
