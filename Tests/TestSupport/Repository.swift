/// Files of the repository, found from where this file was compiled.
package enum Repository {
    package static func path(_ relative: String, from here: String = #filePath) -> String {
        let root = here.split(separator: "/").dropLast(3).joined(separator: "/")
        return "/\(root)/\(relative)"
    }
}
