import NearbyTestSupport
import Testing

/// Waits until it holds. An issue is recorded after so many turns that it would take minutes on an idle machine: turns, not
/// time, since beside tests and compilers that take all processors each may take a second.
func eventually(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) async {
    for _ in 0..<60_000 {
        if holds() { return }
        try? await Task.sleep(for: .milliseconds(2))
    }
    Issue.record(comment ?? "it never came about", sourceLocation: sourceLocation)
}

/// The same, while virtual time goes on.
func eventually(
    in air: Air, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () -> Bool
) async {
    await eventually(comment, sourceLocation: sourceLocation) {
        air.advance(by: .milliseconds(500))
        return holds()
    }
}
