extension EngineState {
    /// Notes that the device stood still, like a laptop that was asleep, and could hear nothing for this
    /// time. Nothing that was found is lost for that.
    ///
    /// Tokens and times to live keep their ends.
    public mutating func standStill(for duration: Duration) {
        guard duration > .zero else { return }
        beacons.table.extend(by: duration)
        beacons.answers.extend(by: duration)
        for id in operations.keys { operations[id]!.extendFinds(by: duration) }
        for id in heardBytes.keys { heardBytes[id] = heardBytes[id]!.mapValues { $0 + duration } }
    }
}
