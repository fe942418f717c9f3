import AcousticModem
import CommandOutput
import Testing

@testable import nearby_modem

@Suite struct DisplayTests {
    @Test(
        arguments: [
            (0, 0, "0"), (0, 3, "0.000"), (1.5, 0, "2"), (-1.5, 0, "-2"), (-0.04, 1, "0.0"),
            (-0.06, 1, "-0.1"),
            (12.3456, 2, "12.35"), (0.005, 1, "0.0"), (1e300, 2, "1e+300"), (.infinity, 1, "inf"),
            (.nan, 1, "nan"),
            (-7.25, 6, "-7.250000"),
        ] as [(Double, Int, String)]) func fixedPoint(value: Double, places: Int, text: String)
    {
        #expect(FixedPoint.text(value, places: places) == text)
    }

    @Test func json() {
        var object = JSONObject()
        object.add("a\"\\", "b\n\u{7F}é")
        object.add("none", nil)
        object.add("whole", -3)
        object.add("part", 1.25, places: 1)
        object.add("nan", .nan, places: 1)
        #expect(
            object.description
                == #"{"a\"\\":"b\u000a\u007fé","none":null,"whole":-3,"part":1.3,"nan":null}"#)
    }

    @Test(
        arguments: [
            ([0x48, 0x69], "Hi"), (Array("héé".utf8), "héé"), ([0xFF], nil), ([0x1B, 0x5B], nil),
            ([0xC3], nil),
            (Array("\u{202E}x".utf8), nil), (Array("\u{2028}".utf8), nil),
        ] as [([UInt8], String?)]) func tokensAsText(token: [UInt8], text: String?)
    {
        #expect(TokenDisplay.text(token) == text)
    }

    @Test func tokensAsDigits() throws {
        #expect(try TokenArgument.bytes(hex: "00fFAb") == [0, 255, 171])
        #expect(TokenDisplay.hex([0, 255, 171]) == "00ffab")
        for bad in ["", "0", "0g", "000", "0x00", " 00", "00 ", "+0", String(repeating: "0", count: 66)] {
            #expect(throws: TokenArgument.Rejection.self) { try TokenArgument.bytes(hex: bad) }
        }
    }

    @Test func theTableIsMarkdown() {
        let lines = Command().run("profiles").lines
        // fsk2 has parameters of its own, and no row.
        #expect(lines.count == 2 + WaveformProfile.all.count + WaveformProfile.optional.count - 1)
        #expect(Set(lines.map { $0.count { $0 == "|" } }) == [8])
        #expect(lines[3].hasPrefix("| `dsss` | 18.5–20.0 kHz | 1–32 bytes | 1.25 s |"))
    }
}
