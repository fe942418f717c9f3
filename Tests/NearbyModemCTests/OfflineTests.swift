import CNearbyModem
import Coding
import Crypto
import Nearby
import NearbyModemC
import Signal
import Testing

@testable import NearbyOffline

/// Tests of a box without a server, in C, against the devices that are to hear it, and of its ciphers against
/// swift-crypto's.
@Suite struct OfflineTests {
    private static let key = (0..<32).map { UInt8(truncatingIfNeeded: 11 * $0 + 3) }
    private let project = OfflineProject(name: "café 7", key: key)!

    private func withProject<Result>(_ body: (UnsafePointer<nbm_offline_project>) -> Result) -> Result {
        "café 7".withCString { name in
            var project = nbm_offline_project()
            project.size = MemoryLayout<nbm_offline_project>.size
            project.name = name
            withUnsafeMutableBytes(of: &project.key) { $0.copyBytes(from: OfflineTests.key) }
            return body(&project)
        }
    }

    @Test(arguments: [UInt64(0), 299, 300, 1_767_225_600, UInt64.max])
    func tokensAreThoseOfTheEngine(seconds: UInt64) {
        var token = [UInt8](repeating: 0, count: 8)
        var valid: UInt32 = 0
        let ended = withProject { nbm_offline_token($0, 0x0102_0304, seconds, &token, &valid) }
        #expect(ended == NBM_OK)
        #expect(token == EpochKeys(project, epoch: seconds / 300).token(of: 0x0102_0304, on: .audio).bytes)
        #expect(UInt64(valid) == 300 - seconds % 300)
    }

    /// The messages have one frame up to the maximum.
    @Test(arguments: [0, 4, 12, 13, 250, 255]) func messagesAreOpenedByTheEngine(byteCount: Int) throws {
        let content = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0) }
        var frames = [nbm_offline_frame](
            repeating: nbm_offline_frame(), count: Int(NBM_OFFLINE_MAX_FRAMES))
        var count = 0
        let ended = withProject {
            nbm_offline_message(
                $0, 77, 3, 1_767_225_600, "ns", "type", content, content.count, &frames, &count)
        }
        #expect(ended == NBM_OK)
        let keys = EpochKeys(project, epoch: 1_767_225_600 / 300)
        var assembly = Assembly()
        var whole: [UInt8]?
        for frame in frames[..<count] {
            let bytes = withUnsafeBytes(of: frame.bytes) { Array($0.prefix(Int(frame.byte_count))) }
            let sealed = try #require(SealedFrame(bytes: bytes))
            let fragment = try #require(keys.open(sealed, on: .audio))
            #expect(fragment.sender == 77 && fragment.generation == 3)
            whole = assembly.add(fragment)
        }
        let bulletin = try #require(whole)
        let entry = try #require(Bulletin(bulletin)?.entries.first)
        #expect(entry.namespace == "ns" && entry.type == "type" && entry.content == content)
    }

    @Test func tooMuchIsRefused() {
        var frames = [nbm_offline_frame](
            repeating: nbm_offline_frame(), count: Int(NBM_OFFLINE_MAX_FRAMES))
        var count = 0
        let content = [UInt8](repeating: 1, count: 300)
        for byteCount in [256, 300, -1] {
            let result = withProject {
                nbm_offline_message($0, 1, 1, 0, nil, "t", content, byteCount, &frames, &count)
            }
            #expect(result == NBM_ERROR_TOO_LONG)
        }
        #expect(count == 0)
    }

    @Test func keysAreReadFromAKeyFile() throws {
        let line = try #require(project.keyFile.split(separator: "\n").first { $0.hasPrefix("key ") })
        var key = [UInt8](repeating: 0, count: 32)
        #expect(nbm_offline_key(String(line.dropFirst(4)), &key) == NBM_OK)
        #expect(key == OfflineTests.key)
        for wrong in [
            "", "abc", String(repeating: "A", count: 44), String(repeating: "B", count: 43), "=\(line)",
        ] {
            #expect(nbm_offline_key(wrong, &key) == NBM_ERROR_RANGE, "\(wrong)")
        }
        #expect(nbm_offline_key(nil, &key) == NBM_ERROR_NULL)
    }

    /// There are a hundred random keys, and texts of 0 to 300 bytes.
    @Test func ciphersAreThoseOfSwiftCrypto() throws {
        var random = SplitMix64(seed: 5)
        func draw(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        for _ in 0..<100 {
            let (text, key) = (draw(Int(random.next() % 301)), draw(32))
            let (salt, nonce) = (draw(Int(random.next() % 80)), draw(12))
            #expect(Coding.SHA256.hash(text) == Array(Crypto.SHA256.hash(data: text)))
            let code = HMAC<Crypto.SHA256>.authenticationCode(for: text, using: SymmetricKey(data: salt))
            #expect(HMACSHA256.code(for: text, key: salt) == Array(code))
            let derived = HKDF<Crypto.SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: key), salt: salt, info: text, outputByteCount: 64)
            #expect(
                HKDFSHA256.key(from: key, salt: salt, info: text, byteCount: 64)
                    == derived.withUnsafeBytes { Array($0) })
            let sealed = try ChaChaPoly.seal(
                text, using: SymmetricKey(data: key), nonce: ChaChaPoly.Nonce(data: nonce))
            #expect(ChaCha20.xor(text, key: key, nonce: nonce, counter: 1) == Array(sealed.ciphertext))
        }
    }
}
