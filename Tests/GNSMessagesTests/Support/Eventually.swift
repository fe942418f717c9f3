import NearbyTestSupport
import Testing

/// Waits until the condition holds. After so many turns that they would take minutes on an idle machine, it
/// records an issue. It counts turns and not time, because each may take a second beside tests and compilers
/// that take all processors.
func eventually(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) async {
    for _ in 0..<60_000 {
        if holds() { return }
        try? await Task.sleep(for: .milliseconds(2))
    }
    Issue.record(comment ?? "it never came about", sourceLocation: sourceLocation)
}

/// Does the same while virtual time goes on.
func eventually(
    in air: Air, _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation,
    _ holds: () -> Bool
) async {
    await eventually(comment, sourceLocation: sourceLocation) {
        air.advance(by: .milliseconds(500))
        return holds()
    }
}
