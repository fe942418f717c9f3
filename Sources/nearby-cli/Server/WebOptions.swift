import ArgumentParser
import CommandOutput
import Glibc
import NearbyServer
import NearbyService

/// The options for the web page that a server provides beside its API.
struct WebOptions: ParsableArguments {
    @Flag(help: "Serve a web page with which a phone's browser receives, sends, publishes and finds.")
    var web = false

    @Option(
        help: ArgumentHelp(
            "Folder of the web page; implies --web. (default: .build/web of the checkout that this program was "
                + "built in, or \(WebOptions.installedFolder))", valueName: "folder"))
    var webRoot: String?

    @Option(
        help: ArgumentHelp(
            "With --web: web key of the page, from 'nearby keys create --web'. (default: one that the "
                + "server creates for the project 'default' or the only project)", valueName: "key"))
    var webKey: String?

    @Option(
        help: ArgumentHelp(
            "With --web: origin at which users reach the page through a proxy, such as "
                + "https://nearby.example. (default: from --host and --port)",
            valueName: "origin"))
    var webAddress: String?

    @Flag(help: "Print no QR code of the page's address on the terminal.")
    var noQr = false

    /// `true` if the server provides a page.
    var isOn: Bool { web || webRoot != nil }

    func validate() throws {
        let stray = [("--web-key", webKey), ("--web-address", webAddress)].first { $0.1 != nil }
        if let stray, !isOn { throw ValidationError("\(stray.0) needs --web") }
        if let webKey, Secret(.webKey, webKey[...]) == nil {
            throw ValidationError(
                "--web-key: expected nbw_…, as 'nearby keys create --web' prints it; no other key may be seen by everybody"
            )
        }
        if webAddress == "*" { throw ValidationError("--web-address: expected one origin, came '*'") }
        do { _ = try origin() } catch { throw ValidationError("--web-address: \(error)") }
    }

    /// The page's public origin; empty if no option names one.
    func origin() throws(AllowedOrigins.Problem) -> AllowedOrigins {
        try AllowedOrigins(webAddress.map { [$0] } ?? [])
    }

    /// Returns the key that the page shows. If the server makes one, the store keeps it for the next time.
    ///
    /// Throws: 66 if there is no such key, or if no project is called `default` and the store does not have
    /// exactly one.
    func key(in store: any ServiceStore) async throws -> String {
        if let webKey {
            guard let secret = Secret(.webKey, webKey[...]), try await store.key(secret.hash) != nil else {
                throw CommandFailure(
                    .noInput,
                    "--web-key: the store has no such key, or it was revoked; 'nearby keys list' lists the keys"
                )
            }
            return webKey
        }
        let project = try await project(in: store)
        let keys = try await store.keys(of: project.id)
        if let known = keys.lazy.filter({ !$0.isRevoked }).compactMap(\.web).first(where: \.origins.isEmpty) {
            return known.text
        }
        return try await Keys.makeWebKey("page of nearby serve", origins: [], of: project, in: store).text
            .text
    }

    private func project(in store: any ServiceStore) async throws -> Project {
        let projects = try await store.projects()
        if let one = projects.first(where: { $0.name == "default" }) { return one }
        if let one = projects.first, projects.count == 1 { return one }
        throw CommandFailure(
            .noInput,
            "--web: no project 'default' among \(projects.map(\.name).joined(separator: ", ")): 'nearby keys create --web --project "
                + "NAME' prints a key for --web-key")
    }

    /// Reads the page's files; `nil` if the server provides no page.
    ///
    /// Throws: 66 if the files cannot be read.
    func pages() throws(CommandFailure) -> WebPages? {
        guard isOn else { return nil }
        let folder = try folder()
        do throws(WebProblem) { return try WebPages(folder: folder) } catch {
            throw CommandFailure(.noInput, "--web: \(error)")
        }
    }

    /// Draws a QR code of the page's address on the terminal, for phones.
    func draw(_ url: String) {
        guard !noQr, StandardError.isTerminal, getenv("TERM").map({ String(cString: $0) }) != "dumb",
            let code = QRCode(url)
        else { return }
        var size = winsize()
        let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        // A QR code whose lines wrap is unreadable.
        if isKnown, Int(size.ws_col) < code.width { return }
        for line in code.lines { StandardError.show(line + "\n") }
    }

    private static let installedFolder = "/usr/share/nearby/web"

    private func folder() throws(CommandFailure) -> String {
        if let webRoot { return webRoot }
        let built = WebOptions.builtFolder
        let candidates = [built, WebOptions.installedFolder].compactMap { $0 }
        if let found = candidates.first(where: { access("\($0)/index.html", R_OK) == 0 }) { return found }
        throw CommandFailure(
            .noInput,
            "--web: no page in \(candidates.joined(separator: " or ")); build it with Tools/web, or name its folder with --web-root"
        )
    }

    /// The path `…/.build/web` for a program at `…/.build/debug/nearby`; `nil` for an installed program.
    private static var builtFolder: String? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        let parts = String(cString: program).split(separator: "/")
        guard let build = parts.lastIndex(of: ".build") else { return nil }
        return "/" + parts[...build].joined(separator: "/") + "/web"
    }
}
