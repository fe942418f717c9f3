/// A frame that was heard. Own ones included: by them the engine knows that it is heard.
public struct Sighting: Sendable, Hashable {
    public enum Payload: Sendable, Hashable {
        case token(Token)
        case audioBytes(AudioBytes)
        case sealed(SealedFrame)
    }

    public var payload: Payload
    public var medium: Medium
    /// Between its end on air and now.
    public var age: Duration
    public var signal: Signal

    public init(_ payload: Payload, on medium: Medium, age: Duration = .zero, signal: Signal = Signal()) {
        (self.payload, self.medium, self.age, self.signal) = (payload, medium, age, signal)
    }

    /// How well it was heard, as far as the medium tells.
    public struct Signal: Sendable, Hashable {
        /// In the band of the transmission.
        public var snrDecibels: Float?
        public var rssiDBm: Int?

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

    public var frame: [UInt8] {
        switch self {
        case .token(let token): token.bytes
        case .audioBytes(let bytes): bytes.frame
        case .sealed(let frame): frame.bytes
        }
    }
}
