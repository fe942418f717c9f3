import Foundation
import Nearby
import Testing

@testable import NearbyWeb

/// Tests of traces that `Tools/web-tests` replays in the browser's module. `NEARBY_RECORD=1` records them
/// anew.
@Suite struct TraceTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../Fixtures/web/traces")
    private static let keyFile = "project shop\nkey \(String(repeating: "B", count: 42))A\n"

    static let random: [(String, UInt8, Int)] = [
        ("chance-1", 1, 70), ("chance-2", 2, 70), ("chance-3", 3, 70),
    ]

    @Test(arguments: random) func whatHappensByChanceIsAsRecorded(_ name: String, _ seed: UInt8, _ count: Int)
        throws
    {
        var world = try TraceWorld(seed: seed)
        for _ in 0..<count { try world.anything() }
        try check(world, name)
    }

    @Test func aVisitIsAsRecorded() throws {
        var world = try TraceWorld(seed: 20, permission: .undecided)
        try world.begin {
            .subscribe(
                $0,
                Subscription(.type("sign"), strategy: Strategy(media: [.audio], timeToLive: .seconds(400))))
        }
        try world.begin {
            .publish($0, Publication(try Message("me", type: "name"), strategy: Strategy(media: [.audio])))
        }
        try world.happen(.permission(.granted))
        try world.answer()
        try world.stream(isOpen: true)
        for second in 0..<8 {
            world.wait(1)
            try world.hearOther()
            try world.happen(.happened(.sent, on: .audio))
            if second == 4 { try world.speak("changed") }
            try world.answer()
            try world.tell()
        }
        try world.happen(.background(true))
        world.wait(3)
        try world.happen(.background(false))
        try world.fail(.rateLimited(retryAfter: .seconds(2)))
        try world.waitForDeadline()
        try world.fail(.unknownDevice)
        try world.answer()
        try world.hearOther()
        try world.answer()
        try world.tell()
        // The events are out of step: the mailbox reports that, and everything is reported again.
        try world.happen(.notified(.init(mailbox: "m2", last: 90, []), keepAlive: nil, []))
        // There are a loss, a token's rotation, and the subscription's end.
        for _ in 0..<40 {
            world.wait(2)
            try world.waitForDeadline()
            try world.answer()
            try world.tell()
        }
        world.wait(300)
        try world.waitForDeadline()
        try world.answer()
        try world.happen(.permission(.denied))
        try world.answer()
        try world.happen(.end)
        try world.answer()
        try check(world, "visit")
    }

    @Test func aPageWithoutAServerIsAsRecorded() throws {
        var world = try TraceWorld(seed: 30, offlineKey: TraceTests.keyFile)
        try world.begin {
            .publish(
                $0,
                Publication(
                    try Message("sealed", type: "sign"), strategy: Strategy(media: [.audio], mode: .broadcast)
                ))
        }
        try world.begin {
            .subscribe($0, Subscription(.everything, strategy: Strategy(media: [.audio], mode: .scan)))
        }
        for _ in 0..<6 {
            world.wait(2)
            try world.hear(.sealed(SealedFrame(bytes: [UInt8](repeating: 7, count: 30))!))
            try world.waitForDeadline()
        }
        world.wait(400)
        try world.waitForDeadline()
        try world.happen(.end)
        try check(world, "offline")
    }

    private func check(_ world: TraceWorld, _ name: String) throws {
        let text = try JSONSerialization.data(withJSONObject: world.json, options: [.sortedKeys])
        let file = TraceTests.folder.appending(path: name + ".json")
        if ProcessInfo.processInfo.environment["NEARBY_RECORD"] != nil { try text.write(to: file) }
        #expect(
            try Data(contentsOf: file) == text,
            "\(name): the engine does something else; if it is to, record it with NEARBY_RECORD=1")
    }
}
