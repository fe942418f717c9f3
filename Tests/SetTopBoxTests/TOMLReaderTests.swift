import Foundation
import Signal
import Testing

@testable import SetTopBoxService

/// Tests of reading TOML as settings, against Python's tomllib.
@Suite struct TOMLReaderTests {
    private static let good: [String] = [
        "", "# nothing", "a = 1", "a=1\r\nb = 2\r\n", "a.b = 'x'\na.c = 2", "[a]\nb = 1\n[a.c]\nd = 2\n[e]",
        "[a.b]\nc = 1\n[a]\nd = 2", "a = \"\\u00e9\\n\\t\\\\\\\"\\U0001F600\"", "a = 'C:\\x'",
        "a = \"\"\"\nx\n  y \\\n   z\"\"\"", "a = '''\n'one' \"two\"'''", "a = \"\"\"x\"\"\"\"\"",
        "a = \"\"\"\"x\"\"\"", "a = [1, 2,\n 3, # three\n]", "a = [[1], ['x', true]]",
        "a = {b = 1, c.d = 'x'}", "a = {}", "a = []",
        "a = 0x1F\nb = 0o17\nc = 0b101\nd = 1_000\ne = -5\nf = +7\ng = 0\nh = -0",
        "a = 1.5\nb = -2e3\nc = 6.02E+2\nd = 1_0.2_5\ne = inf\nf = -inf\ng = 0.0\nh = 3e-2",
        "a = 1979-05-27\nb = 07:32:00\nc = 1979-05-27T07:32:00Z\nd = 1979-05-27 07:32:00.5",
        "a = 1979-05-27T00:32:00-07:00", "'' = 1", "a . b = 1", "[ a . b ]\nc = 1",
        "[[a]]\nb = 1\n[[a]]\nb = 2", "[[a]]\n[a.b]\nc = 1\n[[a]]\n[a.b]\nc = 2", "a = true\nb = false",
        "[a]\nb.c = 1\nb.d = 2", "a = [ {x = 1}, {x = 2} ]", "x = \"é\"", "[a]\n[a.b]\n[a.c]",
    ]
    private static let bad: [String] = [
        "a", "a =", "a = 1 b = 2", "a = 1\na = 2", "[a]\n[a]", "a = x", "a = 'x", "a = \"x\ny\"",
        "a = \"\\q\"", "= 1", "a = 01", "a = 1__0", "a = _1", "a = 1_", "a = .5", "a = 5.", "a = 1e",
        "a = \"\\uD800\"", "a = [1", "a = [1 2]", "a = {b = 1,}", "a = {b = 1", "[a", "[a]]", "[[a]", "[]",
        "a.b = 1\na = 2", "a = 1\na.b = 2", "a = {b=1}\na.c = 2", "[a]\nb = 1\n[a.b]", "a.b = 1\n[a]",
        "a = 0xG", "a = +0x1", "a = \u{1}", "# \u{1}", "a = 'x'y", "a = tru", "a = \"\"\"x\"\"\"\"\"\"",
        "a = 1\rb = 2", "[[a]]\n[a]", "a = []\n[[a]]", "a = 1979-5-27", "a = \"\u{7F}\"", "a b = 1",
        "[a.b]\n[a]\nb.c = 1", "a = 1 # \u{0}", "\u{0}", "a = 1979-13-27", "a = 25:00:00",
    ]

    /// Returns paths and values in the same words as ``opinion``.
    private func read(_ text: String) -> String {
        do throws(TOMLReader.Failure) {
            let entries = try TOMLReader.read(Array(text.utf8))
            return entries.map { "\($0.path)=\(TOMLReaderTests.words($0.value))" }.sorted()
                .joined(separator: ";")
        } catch {
            return "no TOML"
        }
    }

    private static func words(_ value: SettingValue) -> String {
        switch value {
        case .text(let text):
            "'" + text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: ".") + "'"
        case .integer(let number): "\(number)"
        case .number(let number):
            "~" + (number.isFinite ? "\(Int((number * 1000).rounded()))" : number > 0 ? "inf" : "-inf")
        case .boolean(let isTrue): "\(isTrue)"
        case .list(let values): "[" + values.map { words($0) }.joined(separator: ",") + "]"
        case .other: "other"
        }
    }

    private static let opinion = """
        from sys import stdin
        from json import loads as from_json
        from tomllib import loads as from_toml
        def words(v):
            if isinstance(v, bool): return "true" if v else "false"
            if isinstance(v, int): return str(v)
            if isinstance(v, float): return "~" + (str(v) if v in (float("inf"), -float("inf")) else str(int(round(v * 1000))))
            if isinstance(v, str): return "'" + ".".join(format(ord(c), "x") for c in v) + "'"
            if isinstance(v, list): return "[" + ",".join(words(x) for x in v) + "]"
            return "other"
        def bare(k):
            return k if k and all(c in "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_" for c in k) else '"' + k + '"'
        def paths(t, above):
            for k, v in t.items():
                path = above + [bare(k)]
                if isinstance(v, dict) and (v or tuple(path) in headers): yield from paths(v, path)
                elif isinstance(v, list) and tuple(path) in lists: yield ".".join(path) + "=other"
                else: yield ".".join(path) + "=" + words(v)
        for text in from_json(stdin.read()):
            headers, lists = set(), set()
            for line in text.split("\\n"):
                if line.startswith("[["): lists.add(tuple(p.strip() for p in line.strip("[]\\r ").split(".")))
                elif line.startswith("["): headers.add(tuple(p.strip() for p in line.strip("[]\\r ").split(".")))
            try: print(";".join(sorted(paths(from_toml(text), []))).replace("\\n", "?"))
            except Exception: print("no TOML")
        """

    private func opinions(of texts: [String]) throws -> [Substring] {
        let input = String(decoding: try JSONEncoder().encode(texts), as: UTF8.self)
        let answers = try SecondOpinion.ask(TOMLReaderTests.opinion, input).split(
            separator: "\n", omittingEmptySubsequences: false)
        try #require(answers.count == texts.count + 1)
        return answers
    }

    @Test func readsAsOthersDo() throws {
        let texts = TOMLReaderTests.good + TOMLReaderTests.bad
        for (text, answer) in zip(texts, try opinions(of: texts)) { #expect(read(text) == answer, "\(text)") }
        #expect(TOMLReaderTests.good.allSatisfy { read($0) != "no TOML" })
        #expect(TOMLReaderTests.bad.allSatisfy { read($0) == "no TOML" })
        // The other parser takes UTF-8's byte order mark for a letter.
        #expect(read("\u{FEFF}a = 1") == "a=1")
    }

    /// Something is inserted, changed or removed 3000 times. Both parsers accept the text, or neither.
    @Test func changedTextsAreReadAsOthersDo() throws {
        var random = SplitMix64(seed: 1)
        let letters = Array("ab.=[]{}\"'\\# \n,01e-_x:".utf8)
        var texts: [String] = []
        for _ in 0..<3000 {
            var bytes = Array(
                TOMLReaderTests.good[Int(random.next() % UInt64(TOMLReaderTests.good.count))].utf8)
            for _ in 0...Int(random.next() % 3) {
                let place = Int(random.next() % UInt64(bytes.count + 1))
                let letter = letters[Int(random.next() % UInt64(letters.count))]
                switch random.next() % 3 {
                case 0: bytes.insert(letter, at: place)
                case 1: if place < bytes.count { bytes[place] = letter }
                default: if place < bytes.count { bytes.remove(at: place) }
                }
            }
            guard let text = String(validating: bytes, as: UTF8.self) else { continue }
            texts.append(text)
        }
        let wrong = zip(texts, try opinions(of: texts)).filter {
            (read($0) == "no TOML") != ($1 == "no TOML")
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(8).map { ($0.0, $0.1) })")
    }

    @Test func linesAreTold() throws {
        let entries = try TOMLReader.read(Array("# x\n[a]\n\nb = '''\n\n'''\nc = 1".utf8))
        #expect(entries.map(\.line) == [4, 7])
        let failure = #expect(throws: TOMLReader.Failure.self) {
            try TOMLReader.read(Array("a = 1\n\nb = ".utf8))
        }
        #expect(failure?.line == 3)
    }
}
