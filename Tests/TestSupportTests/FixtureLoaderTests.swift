import TestSupport
import Testing

@Suite struct FixtureLoaderTests {
    @Test func hexadecimal() {
        #expect([UInt8](hexadecimal: "00ffA5") == [0x00, 0xFF, 0xA5])
        #expect([UInt8](hexadecimal: "") == [])
        for text in ["0", "0g", "é0", "0x00"] { #expect([UInt8](hexadecimal: text) == nil) }
    }

    @Test func foldersListTheirFiles() {
        let names = FixtureFolder("encode").caseNames()
        #expect(names.contains("dsss_8byte_lane0"))
        #expect(names == names.sorted())
        #expect(FixtureFolder("no such folder").caseNames() == [])
    }

    @Test func aMissingFileIsAnError() {
        #expect(throws: (any Error).self) { try FixtureFolder("encode").data(of: "none.json") }
    }

    /// The header's fields are in their places, an odd chunk is skipped, and 16-bit samples have both signs.
    @Test func recordedSound() throws {
        let sound = try RecordedSound(wav: wav(channels: 1))
        #expect(sound.sampleRateHz == 48_000)
        #expect(sound.samples == [0.5, -1, 0])
    }

    @Test func otherFilesAreRefused() {
        for bytes in [[], [UInt8]("RIFF".utf8), wav(channels: 2), Array(wav(channels: 1).prefix(40))] {
            #expect(throws: FixtureError.self) { try RecordedSound(wav: bytes) }
        }
    }

    private func wav(channels: UInt8) -> [UInt8] {
        let format: [UInt8] = [1, 0, channels, 0, 0x80, 0xBB, 0, 0, 0, 0x77, 1, 0, 2, 0, 16, 0]
        let samples: [UInt8] = [0x00, 0x40, 0x00, 0x80, 0, 0]
        return chunk(
            "RIFF", [UInt8]("WAVE".utf8) + chunk("fmt ", format) + chunk("odd ", [7]) + chunk("data", samples)
        )
    }

    private func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        [UInt8](name.utf8) + [UInt8(body.count), 0, 0, 0] + body + (body.count % 2 == 0 ? [] : [0])
    }
}
