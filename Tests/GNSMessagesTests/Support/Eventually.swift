import NearbyTestSupport
import Testing

/// Waits until it holds; an issue is recorded when that takes far too long, even beside tests that take all processors for
/// minutes.
func eventually(
    _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () -> Bool
) async {
    let end = ContinuousClock.now + .seconds(600)
    while !holds() {
        guard ContinuousClock.now < end else {
            Issue.record(comment ?? "it never came about", sourceLocation: sourceLocation)
            return
        }
        try? await Task.sleep(for: .milliseconds(2))
    }
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
