import Nearby
import Testing

@testable import NearbyOffline

/// Tests against the output of `Tools/reference/offline.py`: another language, another ChaCha20, and another
/// library's HMAC.
@Suite struct KnownAnswerTests {
    private let keys = EpochKeys(OfflineDevice.project, epoch: OfflineDevice.epoch)

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func keysAreDerived() {
        #expect(
            hex(EpochKeys.key(OfflineDevice.project, .token, OfflineDevice.epoch))
                == "df0d4228c4ef4801781e9de43c9b391cfd62861a82542a166e154dd612966a49"
                + "5925991fd3cba22443f5f5f3d174a8d4b370276ed133ce2c07a279290f5d88cf")
        #expect(
            hex(EpochKeys.key(OfflineDevice.project, .frame, OfflineDevice.epoch))
                == "fff4989b0aeaffa5358819db505b6fd0f4fc09cfea61cb414e0c4120d7363400"
                + "b0a368ec595d9066e4928f47843f5b02beb04841a35c231d939579ab31107a22")
    }

    @Test func tokens() {
        #expect(hex(keys.token(of: 0x0102_0304, on: .audio).bytes) == "c532ea3a70c2d358")
        #expect(hex(keys.token(of: 0x0102_0304, on: .ble).bytes) == "5a8ff9cc5c5fb5ba")
    }

    @Test func frames() throws {
        let entry = Bulletin.Entry(
            slot: 1, isForEarshot: false, namespace: "", type: "name", content: Array("Anna".utf8))
        let bytes = try #require(Bulletin(entries: [entry]).signedBytes(isSigned: false))
        let fragment = try #require(Fragment.split(bytes, sender: 0x0102_0304, generation: 1)?.first)
        #expect(
            hex(keys.seal(fragment, for: .audio).bytes)
                == "1d4c3b0bbf3559ecb2dc6ad4c8cbd5be96537306f0c3b52a7c118aca")
    }

    /// The signature of a publisher is that of RFC 8032, 7.1, test 2.
    @Test func signatures() throws {
        let secret = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
        let key = try #require(PublisherKey(bytes: bytes(secret)))
        #expect(
            hex(key.publisher.bytes) == "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        let signature =
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
            + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        #expect(key.publisher.hasSigned([0x72], bytes(signature)))
        #expect(!key.publisher.hasSigned([0x73], bytes(signature)))
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }
}
