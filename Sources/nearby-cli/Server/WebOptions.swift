import ArgumentParser
import CommandOutput
import Glibc
import NearbyServer

/// The web page that a server has beside its API.
struct WebOptions: ParsableArguments {
    @Flag(help: "Serve the page on which any phone's browser hears, sends, publishes and finds.")
    var web = false

    @Option(
        help: ArgumentHelp(
            "With the page of this folder. (default: .build/web of the checkout that this program was built in, or "
                + "\(WebOptions.installedFolder))", valueName: "folder"))
    var webRoot: String?

    /// The page, read; nil when none is asked for.
    ///
    /// Throws: 66 when it is not there.
    func pages() throws(CommandFailure) -> WebPages? {
        guard web || webRoot != nil else { return nil }
        let folder = try folder()
        do throws(WebProblem) { return try WebPages(folder: folder) } catch {
            throw CommandFailure(.noInput, "--web: \(error)")
        }
    }

    private static let installedFolder = "/usr/share/nearby/web"

    private func folder() throws(CommandFailure) -> String {
        if let webRoot { return webRoot }
        let built = WebOptions.builtFolder
        let candidates = [built, WebOptions.installedFolder].compactMap { $0 }
        if let found = candidates.first(where: { access("\($0)/index.html", R_OK) == 0 }) { return found }
        throw CommandFailure(
            .noInput,
            "--web: no page in \(candidates.joined(separator: " or ")): make it with Tools/web, or name its folder with --web-root")
    }

    /// `…/.build/web` for a program at `…/.build/debug/nearby`; nil for one that is installed.
    private static var builtFolder: String? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        let parts = String(cString: program).split(separator: "/")
        guard let build = parts.lastIndex(of: ".build") else { return nil }
        return "/" + parts[...build].joined(separator: "/") + "/web"
    }
}
