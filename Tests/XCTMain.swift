import Testing

/// The program of all tests. Without it, SwiftPM would look for tests of XCTest, of which there are none, in
/// an index that takes time to write.
@main struct TestProgram {
    static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
