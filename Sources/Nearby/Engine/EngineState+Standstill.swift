extension EngineState {
    /// The device stood still, as a laptop that was asleep does: for so long nothing could be heard. What was found is not lost for that.
    ///
    /// Tokens and times to live end when they were to.
    public mutating func standStill(for duration: Duration) {
        guard duration > .zero else { return }
        beacons.table.extend(by: duration)
        beacons.answers.extend(by: duration)
        for id in operations.keys { operations[id]!.extendFinds(by: duration) }
        for id in heardBytes.keys { heardBytes[id] = heardBytes[id]!.mapValues { $0 + duration } }
    }
}
