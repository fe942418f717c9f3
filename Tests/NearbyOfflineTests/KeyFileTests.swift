import Nearby
import Signal
import Testing

@testable import NearbyOffline

/// Tests of keys as text, in both directions.
@Suite struct KeyFileTests {
    private let name = "shop"

    @Test func projectsComeBack() throws {
        var random = SplitMix64(seed: 1)
        let (one, other) = (
            OfflineProject(name: name, random: &random), OfflineProject(name: name, random: &random)
        )
        #expect(one != other)
        #expect(try OfflineProject(keyFile: one.keyFile) == one)
        let lines = one.keyFile.split(separator: "\n")
        #expect(lines.count == 3 && lines[1] == "project shop" && lines[2].utf8.count == 4 + 43)
        // An editor of another system and a careless user may leave such a file.
        let loose = "\r\n \(lines[2])  \r\nproject\tshop \r\n# \r\n"
        #expect(try OfflineProject(keyFile: loose) == one)
    }

    @Test func publishersComeBack() throws {
        let key = PublisherKey()
        let again = try PublisherKey(keyFile: key.keyFile)
        #expect(again.bytes == key.bytes)
        #expect(Publisher("\(key.publisher)") == key.publisher)
        #expect(key.keyFile.contains("\(key.publisher)"))
        #expect(Publisher("") == nil && Publisher("abc") == nil)
    }

    /// Each wrong text has its error, which never contains the text.
    @Test func othersAreRefused() throws {
        let good = "key AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
        #expect(try OfflineProject(keyFile: "project shop\n\(good)") == OfflineDevice.project)
        let wrong: [(String, KeyFileError)] = [
            ("", .missing(word: "project")), ("project shop", .missing(word: "key")),
            (good, .missing(word: "project")),
            ("project\n\(good)", .otherLine(number: 1, words: ["project", "key"])),
            ("project a\nproject b\n\(good)", .twice(word: "project")),
            ("project shop\n\n#\nsecret x\n\(good)", .otherLine(number: 4, words: ["project", "key"])),
            ("project shop\n\(good)A", .notBytes(word: "key")),
            ("project shop\n\(good.dropLast())", .notBytes(word: "key")),
            // The last digit has two bits too many: there is only one way to write a key.
            ("project shop\n\(good.dropLast())9", .notBytes(word: "key")),
            ("project shop\n\(good.dropLast())=", .notBytes(word: "key")),
        ]
        for (text, error) in wrong {
            #expect(throws: error, "\(text)") { try OfflineProject(keyFile: text) }
            #expect(!"\(error)".contains("AAEC"))
        }
        #expect(throws: KeyFileError.otherLine(number: 2, words: ["signer"])) {
            try PublisherKey(keyFile: OfflineDevice.project.keyFile)
        }
    }

    @Test func aClockThatWasNeverSetIsNoClock() {
        #expect(!OfflineRegistry.isSet(.seconds(3)))
        #expect(OfflineRegistry.isSet(.seconds(1_800_000_000)))
    }
}
