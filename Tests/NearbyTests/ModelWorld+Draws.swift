import Nearby

/// The random choices of operations, media and their conditions.
extension ModelWorld {
    mutating func drawType() -> String { ["", "name", "price"][draw(3)] }

    mutating func drawBytes() -> AudioBytes {
        do { return try AudioBytes([UInt8(draw(4))]) } catch { preconditionFailure("one byte") }
    }

    mutating func drawStrategy() -> Strategy {
        var strategy = Strategy()
        strategy.media = [[.audio], [.ble], [.audio, .ble]][draw(3)]
        strategy.mode = [.broadcast, .scan, .both][draw(3)]
        strategy.allowInBackground = strategy.media == [.ble] && draw(2) == 0
        strategy.reach = strategy.media.contains(.audio) && draw(4) == 0 ? .earshot : .anywhere
        strategy.timeToLive = draw(3) == 0 ? .seconds(1 + draw(60)) : nil
        return strategy
    }

    mutating func drawCondition() -> MediumCondition {
        func obstacle(_ n: Int) -> MediumCondition.Obstacle? {
            [nil, nil, nil, .missing, .forbidden, .poweredOff, .failing][n]
        }
        return MediumCondition(broadcast: obstacle(draw(7)), scan: obstacle(draw(7)))
    }

    mutating func drawBeacons(_ subscription: inout Subscription, alone: Bool) {
        subscription.looksForDevices = !alone
        let kinds = AdvertisedID.Kind.allCases.filter { _ in draw(2) == 0 }
        subscription.beacons = BeaconStrategy(
            kinds: Set(kinds.isEmpty ? [.eddystone] : kinds), isLowPowerPreferred: draw(2) == 0,
            allowInBackground: draw(2) == 0)
        let more: [MessageFilter] = [
            .everything, .type("t"), .type("t2", namespace: "com.other"),
            MessageFilter([.namespace("com.other")]),
        ]
        subscription.filter = subscription.filter.union(more[draw(more.count)])
    }
}
