/// A frame that was heard. The device's own frames are included: they show the engine that it is heard.
public struct Sighting: Sendable, Hashable {
    /// The payload of a frame: one of three kinds, which differ in their length.
    public enum Payload: Sendable, Hashable {
        /// A token of a device; only the registry knows which device.
        case token(Token)
        /// Bytes that were published as they are, without a registry.
        case audioBytes(AudioBytes)
        /// A sealed frame, for a registry that takes them: ``TokenRegistry/takesFrames``.
        case sealed(SealedFrame)
    }

    /// The payload of the frame.
    public var payload: Payload
    /// The medium on which the frame was heard. A token counts only on the medium for which it was issued.
    public var medium: Medium
    /// The time from the end of the transmission to now.
    public var age: Duration
    /// The signal quality.
    public var signal: Signal
    /// True if the frame was too faint to be read, and was recognised as that of a payload heard before. It
    /// renews a sighting, and never makes one.
    public var isRenewal = false

    /// Creates a sighting; by default the frame ended just now, without a known signal quality.
    public init(_ payload: Payload, on medium: Medium, age: Duration = .zero, signal: Signal = Signal()) {
        (self.payload, self.medium, self.age, self.signal) = (payload, medium, age, signal)
    }

    /// The signal quality, as far as the medium reports it.
    public struct Signal: Sendable, Hashable {
        /// The signal-to-noise ratio in the band of the transmission, in decibels.
        public var snrDecibels: Float?
        /// The received signal strength of a radio.
        public var rssiDBm: Int?

        /// Creates a signal; the medium does not report a value that is not given.
        public init(snrDecibels: Float? = nil, rssiDBm: Int? = nil) {
            (self.snrDecibels, self.rssiDBm) = (snrDecibels, rssiDBm)
        }
    }
}

extension Sighting.Payload {
    /// Reads a frame as a medium carries it: ``Token/byteCount`` bytes, ``AudioBytes/frame`` or a
    /// ``SealedFrame``. Returns `nil` for anything else.
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

    /// The frame that the medium carries; ``init(frame:)`` reads it.
    public var frame: [UInt8] {
        switch self {
        case .token(let token): token.bytes
        case .audioBytes(let bytes): bytes.frame
        case .sealed(let frame): frame.bytes
        }
    }
}
