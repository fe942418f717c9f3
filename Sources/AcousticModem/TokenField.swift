import Coding

/// The reason why a token cannot be sent.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The token is empty, or longer than a frame's field; the value is its number of bytes.
    case length(Int)
    /// The token has fewer or more bytes than this profile carries; the value is its number of bytes. Both
    /// ends of the range are allowed.
    case bounded(Int, allowed: ClosedRange<Int>)

    public var description: String {
        switch self {
        case .length(let count): "a token has 1 to 32 bytes, this one has \(count)"
        case .bounded(let count, let allowed):
            "a token has \(allowed.lowerBound) to \(allowed.upperBound) bytes here, this one has \(count)"
        }
    }
}

/// The number of bytes that a frame's field holds. The token's length chooses it. It is never sent: a
/// receiver tries each.
enum TokenClass: Int, CaseIterable, Sendable {
    case short = 8
    case medium = 16
    case long = 32

    /// The class's index from 0, in order.
    var index: Int {
        switch self {
        case .short: 0
        case .medium: 1
        case .long: 2
        }
    }
    /// The number of bytes in the field.
    var capacity: Int { rawValue }
    /// The number of bits that the polar code carries: field and check bits.
    var infoBitCount: Int { 8 * capacity + TokenField.checkBitCount }

    init(tokenByteCount: Int) throws(TokenError) {
        let fitting = TokenClass.allCases.first { $0.capacity >= tokenByteCount }
        guard let fitting, tokenByteCount > 0 else { throw .length(tokenByteCount) }
        self = fitting
    }

    fileprivate var exactMask: UInt32 {
        switch self {
        case .short: 0x5A_3C96
        case .medium: 0x3C_69E1
        case .long: 0x69_D24B
        }
    }

    fileprivate var shortMask: UInt32 {
        switch self {
        case .short: 0xA5_965C
        case .medium: 0xC3_9A17
        case .long: 0x96_278D
        }
    }

    /// The token lengths that carry a length byte: fewer than the capacity, more than the class below holds.
    fileprivate var shortLengths: ClosedRange<Int> {
        switch self {
        case .short: 1...7
        case .medium: 9...15
        case .long: 17...31
        }
    }
}

/// A token between check bits: the exact length costs nothing, other lengths one byte of room.
///
///     exact:  | token, capacity bytes             | CRC-24 ⊕ exact mask |
///     short:  | length | token | zeros            | CRC-24 ⊕ short mask |
enum TokenField {
    static let checkBitCount = 24

    /// Shape: token bytes → `[tokenClass.infoBitCount]` bits.
    static func encode(_ token: [UInt8]) throws(TokenError) -> [UInt8] {
        let tokenClass = try TokenClass(tokenByteCount: token.count)
        let isExact = token.count == tokenClass.capacity
        var field = isExact ? token : [UInt8(token.count)] + token
        field += [UInt8](repeating: 0, count: tokenClass.capacity - field.count)
        let bits = BitString.bits(of: field)
        let check = CRC24.checksum(ofBits: bits) ^ (isExact ? tokenClass.exactMask : tokenClass.shortMask)
        return bits + BitString.bits(of: check, count: checkBitCount)
    }

    /// Returns the token, or `nil` if the check or the padding fails. Never traps on any bits.
    static func decode(_ info: UnsafeBufferPointer<UInt8>, tokenClass: TokenClass) -> [UInt8]? {
        guard info.count == tokenClass.infoBitCount else { return nil }
        let fieldBitCount = 8 * tokenClass.capacity
        let computed = CRC24.checksum(ofBits: UnsafeBufferPointer(rebasing: info[..<fieldBitCount]))
        var received: UInt32 = 0
        for index in fieldBitCount..<info.count { received = received << 1 | UInt32(info[index] & 1) }
        switch received ^ computed {
        case tokenClass.exactMask: return BitString.bytes(of: info[..<fieldBitCount])
        case tokenClass.shortMask:
            let field = BitString.bytes(of: info[..<fieldBitCount])
            let length = Int(field[0])
            guard tokenClass.shortLengths.contains(length), field[(1 + length)...].allSatisfy({ $0 == 0 })
            else {
                return nil
            }
            return Array(field[1...length])
        default: return nil
        }
    }
}
