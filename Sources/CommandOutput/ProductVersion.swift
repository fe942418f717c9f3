/// The version of all programs and packages, by semver.org. It is defined only here: `--version` prints it,
/// and `Tools/package` and `Tools/release` read it from this line.
package let productVersion = "0.9.0"
