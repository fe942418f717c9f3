import Crypto
import Nearby

/// The keys with which a project's devices seal in one epoch: a few minutes by the wall clock.
///
///     K(purpose, epoch) = HKDF-SHA-256(key, salt: "nearby offline 1", info: purpose ‖ 0 ‖ epoch), 64 bytes
///     associated        = purpose ‖ 0 ‖ epoch ‖ medium ‖ 0 ‖ project's name
///
/// A token is the sender id, sealed with a tag of 4 bytes; a frame is a ``Fragment``, sealed with a tag of 8
/// bytes.
struct EpochKeys: Sendable {
    enum Purpose: String {
        case token, frame
    }

    static let tokenTagByteCount = 4
    static let frameTagByteCount = 8

    let epoch: UInt64
    private let project: OfflineProject
    private let tokens: SyntheticIVCipher
    private let frames: SyntheticIVCipher

    init(_ project: OfflineProject, epoch: UInt64) {
        (self.project, self.epoch) = (project, epoch)
        tokens = SyntheticIVCipher(
            key: Self.key(project, .token, epoch), tagByteCount: EpochKeys.tokenTagByteCount)
        frames = SyntheticIVCipher(
            key: Self.key(project, .frame, epoch), tagByteCount: EpochKeys.frameTagByteCount)
    }

    static func key(_ project: OfflineProject, _ purpose: Purpose, _ epoch: UInt64) -> [UInt8] {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: project.key), salt: Array("nearby offline 1".utf8),
            info: label(purpose, epoch), outputByteCount: 64
        ).withUnsafeBytes { Array($0) }
    }

    private static func label(_ purpose: Purpose, _ epoch: UInt64) -> [UInt8] {
        Array(purpose.rawValue.utf8) + [0] + epoch.bigEndianBytes
    }

    private func associated(_ purpose: Purpose, _ medium: Medium) -> [UInt8] {
        Self.label(purpose, epoch) + Array(medium.rawValue.utf8) + [0] + Array(project.name.utf8)
    }

    /// Returns the token that a device broadcasts. It tells holders of the key the sender id.
    func token(of sender: UInt32, on medium: Medium) -> Token {
        let sealed = tokens.seal(sender.bigEndianBytes, associated(.token, medium))
        guard let token = Token(bytes: sealed) else { preconditionFailure("4 and 4 bytes are a token") }
        return token
    }

    /// Returns the sender id in a token, or `nil` unless the token is of this project, epoch and medium.
    func sender(of token: Token, on medium: Medium) -> UInt32? {
        tokens.open(token.bytes, associated(.token, medium)).map {
            UInt32(truncatingIfNeeded: $0.bigEndianNumber)
        }
    }

    func seal(_ fragment: Fragment, for medium: Medium) -> SealedFrame {
        guard let frame = SealedFrame(bytes: frames.seal(fragment.bytes, associated(.frame, medium))) else {
            preconditionFailure("a fragment and its tag are 16 to 32 bytes")
        }
        return frame
    }

    /// Opens a frame, or returns `nil` unless the frame is of this project, epoch and medium.
    func open(_ frame: SealedFrame, on medium: Medium) -> Fragment? {
        frames.open(frame.bytes, associated(.frame, medium)).flatMap { Fragment($0) }
    }
}

/// The keys of the present epoch and its neighbours, because clocks differ and sound takes time.
struct KeyRing: Sendable {
    private let project: OfflineProject
    private(set) var epoch: UInt64
    private var keys: [EpochKeys]

    init(_ project: OfflineProject, epoch: UInt64) {
        (self.project, self.epoch) = (project, epoch)
        keys = KeyRing.epochs(around: epoch).map { EpochKeys(project, epoch: $0) }
    }

    var current: EpochKeys {
        guard let keys = keys.first(where: { $0.epoch == epoch }) else {
            preconditionFailure("it is on the ring")
        }
        return keys
    }

    /// Changes the present epoch. It derives no keys if the epoch is the same.
    mutating func turn(to epoch: UInt64) {
        if epoch != self.epoch { self = KeyRing(project, epoch: epoch) }
    }

    /// Returns the first result of `open` that is not `nil`, with its epoch.
    func first<Opened>(_ open: (EpochKeys) -> Opened?) -> (epoch: UInt64, opened: Opened)? {
        for key in keys {
            if let opened = open(key) { return (key.epoch, opened) }
        }
        return nil
    }

    /// Returns an epoch and its neighbours. The epoch itself comes first, because it is the most frequent.
    /// Epoch zero has no predecessor.
    static func epochs(around epoch: UInt64) -> [UInt64] {
        [epoch] + (epoch > 0 ? [epoch - 1] : []) + (epoch < .max ? [epoch + 1] : [])
    }
}
