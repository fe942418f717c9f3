import NearbyWire
import Synchronization

/// A web page for a server to serve beside its API: the files of a folder, kept in memory, each under its name alone.
///
///     let pages = try WebPages(folder: ".build/web")
///     pages.setKey(key.text)
///     settings.pages = pages
public final class WebPages: Sendable {
    private struct Content {
        var files: [String: WebFile]
        var config: WebFile?
    }

    /// What the page reads of its server: `{"key": "nbw_…"}`.
    private struct Config: Encodable {
        let key: String
    }

    private static let index = "index.html"
    private static let configName = "web-config.json"

    private let folder: String
    private let content: Mutex<Content>

    /// Reads the folder.
    ///
    /// Throws: no folder, no `index.html` in it, a file that cannot be read.
    public init(folder: String) throws(WebProblem) {
        self.folder = folder
        content = Mutex(Content(files: try WebFolder(folder).files()))
    }

    /// The page registers with this key, which it reads in `web-config.json`. Everybody may know it.
    public func setKey(_ text: String) {
        let config = WebFile(type: "application/json", Array(WireCoding.encode(Config(key: text))))
        content.withLock { $0.config = config }
    }

    /// Reads the folder again.
    ///
    /// Throws: it cannot be used; then all stays as it was.
    func reload() throws(WebProblem) {
        let files = try WebFolder(folder).files()
        content.withLock { $0.files = files }
    }

    /// Nil when there is none.
    ///
    /// - Parameter path: of a request. It is looked up in a table, and never opened.
    func file(at path: String) -> WebFile? {
        guard path.first == "/" else { return nil }
        let name = path == "/" ? WebPages.index : String(path.dropFirst())
        return content.withLock { content in
            // What a folder has of that name was written for another server.
            name == WebPages.configName ? content.config : content.files[name]
        }
    }
}
