/// SHA-256 of bytes in pieces of any size, for devices on which a library of ciphers would be larger than the
/// modem.
///
/// Reference: FIPS 180-4, sections 5.1.1 and 6.2. `SHA256Tests` hold NIST's vectors.
package struct SHA256: Sendable {
    package static let digestByteCount = 32
    static let blockByteCount = 64

    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    package init() {}

    package static func hash(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finish()
    }

    package mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            pending.append(byte)
            byteCount &+= 1
            if pending.count == SHA256.blockByteCount { compress() }
        }
    }

    /// Returns the digest, `[32]`. Nothing may follow.
    package mutating func finish() -> [UInt8] {
        let bitCount = byteCount &* 8
        pending.append(0x80)
        if pending.count > SHA256.blockByteCount - 8 { pad(to: SHA256.blockByteCount) }
        pad(to: SHA256.blockByteCount - 8)
        for shift in stride(from: 56, through: 0, by: -8) {
            pending.append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        compress()
        return state.flatMap { word in
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt32($0)) }
        }
    }

    private mutating func pad(to count: Int) {
        while pending.count < count { pending.append(0) }
        if pending.count == SHA256.blockByteCount { compress() }
    }

    private mutating func compress() {
        var schedule = (0..<16).map { i in
            pending[4 * i..<4 * i + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        pending.removeAll(keepingCapacity: true)
        for i in 16..<64 {
            let (w15, w2) = (schedule[i - 15], schedule[i - 2])
            let s0 = turned(w15, 7) ^ turned(w15, 18) ^ (w15 >> 3)
            let s1 = turned(w2, 17) ^ turned(w2, 19) ^ (w2 >> 10)
            schedule.append(schedule[i - 16] &+ s0 &+ schedule[i - 7] &+ s1)
        }
        var v = state
        for i in 0..<64 {
            let s1 = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)
            let choice = (v[4] & v[5]) ^ (~v[4] & v[6])
            let t1 = v[7] &+ s1 &+ choice &+ SHA256.constants[i] &+ schedule[i]
            let s0 = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)
            let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2])
            v = [t1 &+ s0 &+ majority, v[0], v[1], v[2], v[3] &+ t1, v[4], v[5], v[6]]
        }
        for i in 0..<8 { state[i] &+= v[i] }
    }

    private func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7,
        0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc,
        0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351,
        0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e,
        0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585,
        0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f,
        0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}
