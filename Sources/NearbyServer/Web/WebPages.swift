import NearbyWire
import Synchronization

/// A web page that a server serves beside its API: the files of a folder, kept in memory and found by name.
///
///     let pages = try WebPages(folder: ".build/web")
///     pages.setKey(key.text)
///     settings.pages = pages
package final class WebPages: Sendable {
    private struct Content {
        var files: [String: WebFile]
        var config: WebFile?
    }

    /// The configuration that the page reads from its server: `{"key": "nbw_…"}`.
    private struct Config: Encodable {
        let key: String
    }

    private static let index = "index.html"
    private static let configName = "web-config.json"

    private let folder: String
    private let content: Mutex<Content>

    /// Reads the folder.
    ///
    /// - Throws: ``WebProblem`` if there is no folder, no `index.html` in it, or a file that cannot be read.
    package init(folder: String) throws(WebProblem) {
        self.folder = folder
        content = Mutex(Content(files: try WebFolder(folder).files()))
    }

    /// Sets the key with which the page registers. The page reads it in `web-config.json`, and everybody may
    /// know it.
    package func setKey(_ text: String) {
        let config = WebFile(type: "application/json", Array(WireCoding.encode(Config(key: text))))
        content.withLock { $0.config = config }
    }

    /// Reads the folder again.
    ///
    /// - Throws: ``WebProblem`` if the folder cannot be used; then nothing changes.
    func reload() throws(WebProblem) {
        let files = try WebFolder(folder).files()
        content.withLock { $0.files = files }
    }

    /// Returns the file at a path; `nil` if there is none.
    ///
    /// - Parameter path: The path of a request. It is looked up in a table and never opened.
    func file(at path: String) -> WebFile? {
        guard path.first == "/" else { return nil }
        let name = path == "/" ? WebPages.index : String(path.dropFirst())
        return content.withLock { content in
            // A file of that name in the folder was written for another server.
            name == WebPages.configName ? content.config : content.files[name]
        }
    }
}
