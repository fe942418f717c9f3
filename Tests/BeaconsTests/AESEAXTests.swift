import CryptoExtras
import Testing

@testable import Beacons

@Suite struct AESEAXTests {
    private func box(_ key: String) throws -> AESEAX {
        AESEAX(AESBlock(key: SymmetricKey(data: try bytes(key))))
    }

    /// The vector is that of FIPS 197, appendix C.1.
    @Test func oneBlock() {
        let cipher = AESBlock(key: 0x0001_0203_0405_0607_0809_0A0B_0C0D_0E0F)
        #expect(
            cipher.encrypt(0x0011_2233_4455_6677_8899_AABB_CCDD_EEFF)
                == 0x69C4_E0D8_6A7B_0430_D8CD_B780_70B4_C55A)
    }

    /// The vectors are the first two of Bellare, Rogaway and Wagner, 2004, appendix G.
    @Test func vectorsOfTheAuthors() throws {
        let first = try box("233952DEE4D5ED5F9B9C6D6FF80FF478").seal(
            [], nonce: bytes("62EC67F9C3A4A407FCB2A8C49031A8B3"), associated: bytes("6BFB914FD07EAE6B"),
            tagByteCount: 16)
        #expect(first.ciphertext.isEmpty)
        #expect(first.tag == (try bytes("E037830E8389F27B025A2D6527E79D01")))
        let second = try box("91945D3F4DCBEE0BF45EF52255F095A4").seal(
            bytes("F7FB"), nonce: bytes("BECAF043B0A23D843194BA972C66DEBD"),
            associated: bytes("FA3BFD4806EB53FA"),
            tagByteCount: 16)
        #expect(second.ciphertext + second.tag == (try bytes("19DD5C4C9331049D0BDAB0277408F67967E5")))
    }

    @Test func vectorsOfTheSecondImplementation() throws {
        let vectors = try EphemeralVector.all().boxes
        #expect(vectors.count == 8)
        for vector in vectors {
            let (box, nonce) = (try box(vector.key), try bytes(vector.nonce))
            let (associated, plaintext) = (try bytes(vector.associated), try bytes(vector.plaintext))
            let (ciphertext, tag) = (try bytes(vector.ciphertext), try bytes(vector.tag))
            let sealed = box.seal(plaintext, nonce: nonce, associated: associated, tagByteCount: 16)
            #expect(sealed.ciphertext == ciphertext && sealed.tag == tag)
            #expect(box.open(ciphertext, nonce: nonce, associated: associated, tag: tag) == plaintext)
            for count in 1...16 {
                var short = Array(tag.prefix(count))
                #expect(box.open(ciphertext, nonce: nonce, associated: associated, tag: short) == plaintext)
                short[count - 1] ^= 1
                #expect(box.open(ciphertext, nonce: nonce, associated: associated, tag: short) == nil)
            }
        }
    }
}
