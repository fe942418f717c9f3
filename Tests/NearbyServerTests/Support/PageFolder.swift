import Foundation

/// A folder with a small web page of the form that Tools/web makes.
struct PageFolder {
    let folder = TemporaryFolder()
    var path: String { folder.path }

    init() throws {
        try write("index.html", "<!doctype html><title>page</title>")
        try write("index.html.br", "brotli of the page")
        try write("index.html.gz", "gzip of the page")
        try write("modem.wasm", "wasm")
        try write("modem.wasm.br", "brotli of wasm")
        for name in ["page.js", "page.css", "nearby.d.ts", "manifest.webmanifest", "icon.svg", "icon.png"] {
            try write(name, "content of \(name)")
        }
        for name in ["README", "page.exe", ".hidden.html", "two words.html", "web-config.json"] {
            try write(name, "not to be served")
        }
        try FileManager.default.createDirectory(
            atPath: path + "/more.html", withIntermediateDirectories: false)
        try write("more.html/deep.html", "not to be served")
    }

    func write(_ name: String, _ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }
}
