import Nearby
import Testing

@Suite struct ModelCheckTests {
    /// None of 120 000 random steps, 6000 in each of 20 worlds, may break a rule of ``EngineMirror``.
    @Test(arguments: 1...20)
    func noRuleIsBroken(seed: Int) {
        var world = ModelWorld(seed: UInt64(seed))
        for _ in 0..<6000 {
            world.step()
            let violations = world.devices.flatMap(\.mirror.violations)
            #expect(violations.isEmpty)
            if !violations.isEmpty { return }
        }
    }

    /// Whatever happened before, as soon as everybody hears everybody and the registry answers, each
    /// subscription has found exactly the publications that match it. When all end, it has lost them.
    @Test(arguments: 1...20)
    func itComesRightInTheEnd(seed: Int) {
        var world = ModelWorld(seed: UInt64(seed) &* 1000)
        for _ in 0..<1500 { world.step() }
        for n in world.devices.indices {
            world.restart(n)
            for medium in [Medium.audio, .ble] { world.happened(n, .condition(.ready), on: medium) }
            world.set(n, permission: .granted)
            world.setBackground(n, false)
            world.begin(n, .standard)
            world.begin(n, .standard)
        }
        for _ in 0..<150 {
            for n in world.devices.indices {
                for other in world.devices.indices where other != n {
                    for medium in [Medium.audio, .ble] { world.hear(n, from: other, on: medium) }
                }
                world.reply(n, always: true)
                for id in ModelBeacons.ids { world.hearBeacon(n, id) }
                world.answerBeacons(n, always: true)
            }
            world.pass(.seconds(1))
        }
        #expect(world.devices.flatMap(\.mirror.violations) == [])
        for device in world.devices {
            #expect(Set(device.mirror.live.keys).isSuperset(of: device.known))
        }
        for (n, device) in world.devices.enumerated() {
            for (id, subscription) in device.engine.subscriptions {
                let all = (device.mirror.found[id] ?? [:]).values
                let found = all.filter { $0.beacon == nil }.map(\.message.text).sorted()
                let beacons = all.filter { $0.beacon != nil }.map { ModelBeacons.words($0) }.sorted()
                #expect(Set(beacons) == Set(world.beacons.expected(for: subscription)))
                #expect(found == world.expected(for: subscription, of: n).map(\.text).sorted())
            }
        }
    }

    /// Whatever happened before, as soon as the user has denied permission and the registry answers, nothing
    /// of the device is left in the registry or on air.
    @Test(arguments: 1...20)
    func nothingIsLeftAfterAWithdrawal(seed: Int) {
        var world = ModelWorld(seed: UInt64(seed) &* 1_000_003)
        for _ in 0..<1000 { world.step() }
        for n in world.devices.indices {
            world.restart(n)
            world.set(n, permission: .denied)
        }
        for _ in 0..<10 {
            for n in world.devices.indices { world.reply(n, always: true) }
            world.pass(.seconds(1))
        }
        #expect(world.devices.flatMap(\.mirror.violations) == [])
        for device in world.devices {
            #expect(device.known.isEmpty)
            #expect(device.mirror.assignments.values.allSatisfy { $0 == .idle })
        }
    }
}

extension ModelWorld {
    /// Returns the messages that a subscription finds if everybody hears everybody.
    func expected(for subscription: Subscription, of n: Int) -> [Message] {
        guard subscription.looksForDevices else { return [] }
        return devices.indices.filter { $0 != n }.flatMap { other in
            devices[other].mirror.live.compactMap { id, one -> Message? in
                guard !one.isSubscription, let message = devices[other].contents[id],
                    subscription.filter.matches(message),
                    [Medium.audio, .ble].contains(where: {
                        one.strategy.counts($0) && subscription.strategy.counts($0)
                            && (fits(one.strategy, subscription.strategy)
                                || fits(subscription.strategy, one.strategy))
                    })
                else { return nil }
                return message
            }
        }
    }

    private func fits(_ speaker: Strategy, _ listener: Strategy) -> Bool {
        speaker.mode.contains(.broadcast) && listener.mode.contains(.scan)
    }
}
