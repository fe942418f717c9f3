import Foundation
import NearbyServerSupport
import Testing

@testable import NearbyServer

/// Tests of a web page beside the API, requested by browsers and others.
@Suite(.timeLimit(.minutes(1))) struct WebPagesTests {
    private let folder: PageFolder

    init() throws { folder = try PageFolder() }

    private func world() async throws -> (HostileWorld, WebPages) {
        let pages = try WebPages(folder: folder.path)
        return (try await HostileWorld(settings: { $0.pages = pages }), pages)
    }

    private func ask(_ world: HostileWorld, _ line: String, _ headers: [String] = []) async throws -> String {
        let client = try world.connect()
        await client.send(line, headers + ["Connection: close"])
        return try await client.read()
    }

    private func tag(_ answer: String) throws -> String {
        let line = try #require(answer.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") })
        return String(line.dropFirst(6))
    }

    @Test func everyFileHasItsTypeAndTheRules() async throws {
        let (world, _) = try await world()
        for (path, type, body) in [
            ("/", "text/html; charset=utf-8", "<!doctype html><title>page</title>"),
            ("/index.html?x=1", "text/html; charset=utf-8", "<!doctype html><title>page</title>"),
            ("/page.js", "text/javascript; charset=utf-8", "content of page.js"),
            ("/page.css", "text/css; charset=utf-8", "content of page.css"),
            ("/modem.wasm", "application/wasm", "wasm"),
            ("/manifest.webmanifest", "application/manifest+json", "content of manifest.webmanifest"),
            ("/icon.svg", "image/svg+xml", "content of icon.svg"),
            ("/icon.png", "image/png", "content of icon.png"),
            ("/nearby.d.ts", "text/plain; charset=utf-8", "content of nearby.d.ts"),
        ] {
            let answer = try await ask(world, "GET \(path)")
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("\r\n\r\n" + body), "\(answer)")
            for line in [
                "Content-Type: \(type)\r\n", "Content-Length: \(body.utf8.count)\r\n",
                "Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval';",
                "frame-ancestors 'none'\r\n", "Permissions-Policy: microphone=(self), ",
                "X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
                "Cross-Origin-Opener-Policy: same-origin\r\n", "Cache-Control: no-cache\r\n", "ETag: \"",
            ] { #expect(answer.contains(line), "\(line): \(answer)") }
            #expect(!answer.contains("unsafe-inline") && !answer.contains("Content-Encoding"), "\(answer)")
        }
        await world.instance.end()
    }

    @Test(arguments: [
        ("br, gzip", "br", "brotli of the page"), ("gzip, deflate, br, zstd", "br", "brotli of the page"),
        ("gzip", "gzip", "gzip of the page"), ("br;q=0.5, gzip;q=0.8", "gzip", "gzip of the page"),
        ("*", "br", "brotli of the page"), ("br;q=0, *", "gzip", "gzip of the page"),
    ])
    func packedAsTheClientLikes(accepted: String, coding: String, body: String) async throws {
        let (world, _) = try await world()
        let packed = try await ask(world, "GET /", ["Accept-Encoding: \(accepted)"])
        #expect(packed.contains("Content-Encoding: \(coding)\r\n"), "\(packed)")
        #expect(packed.contains("Vary: Accept-Encoding\r\n") && packed.hasSuffix("\r\n\r\n" + body))
        let plain = try await ask(world, "GET /", ["Accept-Encoding: identity"])
        #expect(plain.contains("Vary: Accept-Encoding\r\n") && !plain.contains("Content-Encoding"))
        #expect(try tag(plain) != tag(packed))
        // A file without a packed version is served unpacked.
        let other = try await ask(world, "GET /page.js", ["Accept-Encoding: \(accepted)"])
        #expect(!other.contains("Content-Encoding") && !other.contains("Vary"), "\(other)")
        await world.instance.end()
    }

    @Test func whatTheClientHasIsNotSentAgain() async throws {
        let (world, _) = try await world()
        let first = try await ask(world, "GET /", ["Accept-Encoding: br"])
        let tag = try tag(first)
        for (known, headers, status) in [
            (tag, ["Accept-Encoding: br"], "304"), ("W/\(tag)", ["Accept-Encoding: br"], "304"),
            ("\"a,b\", \(tag)", ["Accept-Encoding: br"], "304"), ("*", [], "304"), (tag, [], "200"),
            ("\"other\"", ["Accept-Encoding: br"], "200"), ("\"", ["Accept-Encoding: br"], "200"),
        ] {
            for method in ["GET", "HEAD"] {
                let answer = try await ask(world, "\(method) /", headers + ["If-None-Match: \(known)"])
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(known): \(answer)")
                #expect(answer.contains("ETag: ") && answer.contains("Cache-Control: no-cache"))
                #expect(answer.contains("Vary: Accept-Encoding"))
                if status == "304" || method == "HEAD" { #expect(answer.hasSuffix("\r\n\r\n"), "\(answer)") }
            }
        }
        await world.instance.end()
    }

    /// The answer has no body, so that the next request on the same connection is answered correctly.
    @Test func headHasNoBody() async throws {
        let (world, _) = try await world()
        let client = try world.connect()
        await client.send("HEAD /modem.wasm", ["Accept-Encoding: br"])
        let head = try await client.read(until: "\r\n\r\n")
        #expect(head.contains("Content-Length: 14\r\n") && head.contains("Content-Encoding: br\r\n"))
        await client.send("GET /page.js", ["Connection: close"])
        let next = try await client.read()
        #expect(next.hasPrefix("HTTP/1.1 200") && next.hasSuffix("content of page.js"), "\(next)")
        await world.instance.end()
    }

    @Test func otherMethodsAreNotTaken() async throws {
        let (world, _) = try await world()
        for method in ["POST", "PUT", "DELETE", "PATCH"] {
            let answer = try await ask(world, "\(method) /page.js", ["Content-Length: 0"])
            #expect(answer.hasPrefix("HTTP/1.1 405"), "\(answer)")
            #expect(answer.contains("Allow: GET, HEAD, OPTIONS\r\n"), "\(answer)")
        }
        let options = try await ask(world, "OPTIONS /page.js")
        #expect(options.hasPrefix("HTTP/1.1 204") && options.contains("Allow: GET, HEAD, OPTIONS\r\n"))
        // The API works as before.
        #expect(try await ask(world, "GET /v1/devices").contains("Allow: POST, OPTIONS\r\n"))
        await world.instance.end()
    }

    @Test(arguments: [
        "/..", "/../etc/passwd", "/..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/%2e%2e%2findex.html",
        "//etc/passwd", "/%00", "/index.html%00", "/index.html/", "/more.html", "/more.html/deep.html",
        "/README", "/page.exe", "/.hidden.html", "/two%20words.html", "/index.html.br", "/Index.html",
        "/web-config.json", "/\\index.html", "/page.js%2f..",
    ])
    func nothingElseIsServed(target: String) async throws {
        let (world, _) = try await world()
        let answer = try await ask(world, "GET \(target)")
        // An empty last segment of the path is ignored, as for the API.
        let isSame = target == "/index.html/"
        #expect(answer.hasPrefix(isSame ? "HTTP/1.1 200" : "HTTP/1.1 404"), "\(answer)")
        #expect(!answer.contains("root:") && !answer.contains("not to be served"), "\(answer)")
        await world.instance.end()
    }

    @Test func thePageReadsItsKey() async throws {
        let (world, pages) = try await world()
        #expect(try await ask(world, "GET /web-config.json").hasPrefix("HTTP/1.1 404"))
        pages.setKey("nbw_1_x")
        let answer = try await ask(world, "GET /web-config.json")
        #expect(answer.contains("Content-Type: application/json\r\n"), "\(answer)")
        #expect(answer.contains("Cache-Control: no-cache\r\n") && answer.contains("nosniff"), "\(answer)")
        #expect(answer.hasSuffix(#"{"key":"nbw_1_x"}"#), "\(answer)")
        await world.instance.end()
    }

    @Test func aPageThatIsReadAgain() async throws {
        let (world, pages) = try await world()
        let before = try await ask(world, "GET /page.js")
        try folder.write("page.js", "another one")
        try folder.write("new.js", "new")
        #expect(try await ask(world, "GET /page.js").hasSuffix("content of page.js"))
        try pages.reload()
        let after = try await ask(world, "GET /page.js")
        #expect(try after.hasSuffix("another one") && tag(after) != tag(before))
        #expect(try await ask(world, "GET /new.js").hasSuffix("new"))
        try FileManager.default.removeItem(atPath: folder.path + "/index.html")
        #expect(throws: WebProblem.self) { try pages.reload() }
        #expect(try await ask(world, "GET /").hasPrefix("HTTP/1.1 200"))
        await world.instance.end()
    }

    /// A whole building behind one address loads a page of many files again and again.
    @Test func noPageLoadIsRefused() async throws {
        let (world, _) = try await world()
        let url = world.url
        let refused = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let client = try RawConnection(url)
                    for n in 0..<60 {
                        await client.send("GET /page.js", [])
                        let answer = try await client.read(until: "content of page.js")
                        if !answer.hasPrefix("HTTP/1.1 200") { return "'\(answer)' after \(n)" }
                    }
                    return nil
                }
            }
            var refused: [String] = []
            for try await answer in group { if let answer { refused.append(answer) } }
            return refused
        }
        #expect(refused.isEmpty, "\(refused)")
        await world.instance.end()
    }

    @Test func foldersThatAreNoPage() throws {
        let empty = TemporaryFolder()
        for (path, words) in [
            (empty.path, "no index.html in it: make it with Tools/web"),
            ("/nowhere", "No such file or directory: make it with Tools/web"),
        ] {
            let problem = #expect(throws: WebProblem.self) { try WebPages(folder: path) }
            #expect(problem?.description == "\(path): \(words)")
        }
    }
}
