/// The version of all programs and packages, by semver.org. This is its only place: `--version` prints it,
/// `Tools/package` and `Tools/release` read it from this line.
package let productVersion = "0.9.0"
