import Testing

@testable import Coding

private func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.filter { !$0.isWhitespace })
    return stride(from: 0, to: digits.count, by: 2).compactMap {
        UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
}

@Suite struct SHA256Tests {
    /// The vectors are FIPS 180-4's examples by NIST: one block, two blocks, a million bytes; and the empty
    /// one.
    @Test func vectorsOfNIST() {
        #expect(
            SHA256.hash([]) == bytes("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"))
        #expect(
            SHA256.hash("abc".utf8)
                == bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
        #expect(
            SHA256.hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
                == bytes("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"))
        #expect(
            SHA256.hash([UInt8](repeating: 0x61, count: 1_000_000))
                == bytes("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"))
    }

    @Test func piecesAreTheWhole() {
        let whole = (0..<300).map { UInt8(truncatingIfNeeded: $0 * 7) }
        for piece in [1, 55, 56, 63, 64, 65, 119, 120] {
            var hash = SHA256()
            for start in stride(from: 0, to: whole.count, by: piece) {
                hash.update(whole[start...].prefix(piece))
            }
            #expect(hash.finish() == SHA256.hash(whole), "\(piece)")
        }
    }
}

@Suite struct KeyDerivationTests {
    /// The vectors are RFC 4231, 4.2, 4.3 and 4.7: a key of half a block, a word, and one that is longer than
    /// a block.
    @Test func codesOfRFC4231() {
        #expect(
            HMACSHA256.code(for: "Hi There".utf8, key: [UInt8](repeating: 0x0b, count: 20))
                == bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
        #expect(
            HMACSHA256.code(for: "what do ya want for nothing?".utf8, key: Array("Jefe".utf8))
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
        #expect(
            HMACSHA256.code(
                for: "Test Using Larger Than Block-Size Key - Hash Key First".utf8,
                key: [UInt8](repeating: 0xaa, count: 131))
                == bytes("60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"))
    }

    /// The vectors are RFC 5869, A.1 and A.3.
    @Test func keysOfRFC5869() {
        #expect(
            HKDFSHA256.key(
                from: [UInt8](repeating: 0x0b, count: 22), salt: bytes("000102030405060708090a0b0c"),
                info: bytes("f0f1f2f3f4f5f6f7f8f9"), byteCount: 42)
                == bytes(
                    "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        #expect(
            HKDFSHA256.key(from: [UInt8](repeating: 0x0b, count: 22), salt: [], info: [], byteCount: 42)
                == bytes(
                    "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }
}

@Suite struct ChaCha20Tests {
    /// The vector is RFC 8439, 2.4.2: two blocks.
    @Test func vectorOfRFC8439() {
        let text =
            "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
            + "sunscreen would be it."
        let (key, nonce) = ([UInt8](0..<32), bytes("000000000000004a00000000"))
        let sealed = ChaCha20.xor(Array(text.utf8), key: key, nonce: nonce, counter: 1)
        #expect(
            sealed
                == bytes(
                    """
                    6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0b
                    f91b65c5524733ab8f593dabcd62b3571639d624e65152ab8f530c359f0861d8
                    07ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab7793736
                    5af90bbf74a35be6b40b8eedf2785e42874d
                    """))
        #expect(ChaCha20.xor(sealed, key: key, nonce: nonce, counter: 1) == Array(text.utf8))
    }
}
