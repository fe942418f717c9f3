import Nearby
import Testing

/// Tests that the explanation agrees with the engine.
@Suite struct StrategyExplanationTests {
    private static let strategies: [Strategy] = [Set([Medium.audio]), [.ble], [.audio, .ble]].flatMap {
        media in
        [Strategy.Mode.broadcast, .scan, .both].flatMap { mode in
            [false, true].map { Strategy(media: media, mode: mode, allowInBackground: $0) }
        }
    }.filter { (try? $0.validate()) != nil }

    private static let selections: [StrategySelection] = [Permission.granted, .denied].flatMap { permission in
        [false, true].flatMap { isInBackground in
            [
                MediumCondition.ready, .missing, MediumCondition(broadcast: .missing),
                MediumCondition(scan: .failing),
            ]
            .map { condition in
                StrategySelection(
                    permission: permission, isInBackground: isInBackground,
                    conditions: [.audio: condition, .ble: .ready])
            }
        }
    }

    /// For every pair of strategies under every condition, the explanation and the engine agree on the media
    /// that scan and on those that want a token.
    @Test func agreesWithTheEngine() throws {
        let message = try Message("a")
        for selection in Self.selections {
            for first in Self.strategies {
                for second in Self.strategies {
                    let explanation = StrategyExplanation(
                        selection, operations: [(OperationID(1), first), (OperationID(2), second)])
                    var engine = EngineState(
                        permission: selection.permission, random: SystemRandomNumberGenerator())
                    var actions = engine.setBackground(selection.isInBackground, now: .start)
                    for (medium, condition) in selection.conditions {
                        actions += engine.happened(.condition(condition), on: medium, now: .start)
                    }
                    actions += try engine.execute(
                        [
                            .publish(OperationID(1), Publication(message, strategy: first)),
                            .subscribe(OperationID(2), Subscription(strategy: second)),
                        ], now: .start)
                    var (scanning, broadcasting) = (Set<Medium>(), Set<Medium>())
                    for action in actions {
                        if case .assign(let assignment, let medium) = action, assignment.isScanning {
                            scanning.insert(medium)
                        }
                        if case .report(let report) = action { broadcasting.formUnion(report.wantsTokens) }
                    }
                    let live = explanation.rows.filter { !$0.claims.isEmpty }
                    #expect(Set(live.filter { $0.role == .scan }.map(\.medium)) == scanning)
                    #expect(Set(live.filter { $0.role == .broadcast }.map(\.medium)) == broadcasting)
                }
            }
        }
    }

    /// The range is near if the medium supports it and all operations that broadcast ask for no more.
    /// Operations that only scan do not matter.
    @Test(
        arguments: [
            ([.earshot], hasNear: true, .near), ([.earshot, .earshot], true, .near),
            ([.earshot, .anywhere], true, .standard), ([.anywhere], true, .standard),
            ([.earshot], false, .standard),
        ] as [([Strategy.Reach], hasNear: Bool, MediumAssignment.Profile)])
    func profileIsAsNearAsAllWant(
        reaches: [Strategy.Reach], hasNear: Bool, profile: MediumAssignment.Profile
    ) throws {
        let condition = MediumCondition(profiles: hasNear ? [.standard, .near] : [.standard])
        let strategies = reaches.map { Strategy(media: [.audio], mode: .broadcast, reach: $0) }
        let scan = Strategy(media: [.audio], mode: .scan)
        let explanation = StrategyExplanation(
            StrategySelection(conditions: [.audio: condition]),
            operations: (strategies + [scan]).enumerated().map { (OperationID(UInt64($0)), $1) })
        #expect(explanation.rows[0].profile == profile)
        #expect(explanation.rows[1].profile == nil)

        var engine = EngineState(permission: .granted, random: SystemRandomNumberGenerator())
        _ = engine.happened(.condition(condition), on: .audio, now: .start)
        let publications = try strategies.enumerated().map {
            var publication = Publication(try AudioBytes([UInt8($0)]))
            publication.strategy = $1
            return Operation.publish(OperationID(UInt64($0)), publication)
        }
        let actions = try engine.execute(
            publications + [.subscribe(OperationID(9), Subscription(strategy: scan))], now: .start)
        let sent = actions.compactMap { action -> MediumAssignment.Broadcast? in
            if case .assign(let assignment, to: .audio) = action { assignment.broadcast } else { nil }
        }
        #expect(sent.last?.profile == profile)
        #expect(sent.last?.cadence == explanation.rows[0].cadence)
    }

    /// The result is the end of the operation that ends last. It is `nil` if an operation has no end.
    @Test func longestLivedSaysUntilWhen() {
        func end(_ lives: Duration?...) -> Instant? {
            let operations = lives.enumerated().map {
                (OperationID(UInt64($0.offset)), Strategy(media: [.audio], timeToLive: $0.element))
            }
            let selection = StrategySelection(conditions: [.audio: .ready])
            return StrategyExplanation(selection, operations: operations).rows[0].end
        }
        #expect(end(.seconds(10), .seconds(30)) == .start + .seconds(30))
        #expect(end(.seconds(10), nil) == nil)
        #expect(end() == nil)
    }
}
