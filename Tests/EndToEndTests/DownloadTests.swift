import Foundation
import TestSupport
import Testing

/// Tests that tools verify their downloads against known hashes.
@Suite struct DownloadTests {
    /// Each call of pip names files with hashes, and each package in them has one.
    @Test func pipComparesHashes() throws {
        let root = Repository.path("Tools")
        let calls = try NSRegularExpression(pattern: #"pip["' ,]+(install|download)\b"#)
        let pin = try NSRegularExpression(pattern: #"^[a-z0-9-]+==\S+ \\$"#)
        var (callCount, pinCount) = (0, 0)
        for name in try #require(FileManager.default.subpaths(atPath: root)) {
            guard let text = try? String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) else { continue }
            if name.hasSuffix("requirements.txt") || name.contains("requirements-") {
                let lines = text.split(separator: "\n")
                for (line, next) in zip(lines, lines.dropFirst() + [""])
                where !line.hasPrefix(" ") && !line.hasPrefix("#") {
                    let range = NSRange(line.startIndex..., in: line)
                    let isPinned = pin.firstMatch(in: String(line), range: range) != nil
                    #expect(isPinned && next.hasPrefix("    --hash=sha256:"), "\(name): \(line)")
                    pinCount += 1
                }
                continue
            }
            for call in calls.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
                let rest = (text as NSString).substring(from: call.range.location).prefix(300)
                // Comments and quotes only mention pip.
                guard !rest.hasPrefix("pip download'") else { continue }
                // Without an index nothing is downloaded.
                let isSafe = ["--require-hashes", "--no-index"].contains { rest.prefix(120).contains($0) }
                #expect(isSafe, "\(name): \(rest.prefix(80))")
                callCount += 1
            }
        }
        #expect(callCount >= 5 && pinCount >= 50, "\(callCount), \(pinCount)")
    }
}
