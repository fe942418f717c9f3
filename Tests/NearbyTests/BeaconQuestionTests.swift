import Nearby
import Testing

/// Tests of what one device asks the beacons' registry, and when.
@Suite struct BeaconQuestionTests {
    /// Beacons that are heard while a question is on its way wait together for the next one.
    @Test func questionsAreOneAtATime() throws {
        var device = BeaconDevice()
        try device.subscribe()
        for number in 1...300 { device.hear(BeaconDevice.id(number)) }
        #expect(device.questions.map(\.ids.count) == [1])
        device.answer()
        #expect(device.questions.count == 1)
        device.pass(.milliseconds(500))
        #expect(device.questions.map(\.ids.count) == [1, 256])
        device.answer()
        device.pass(.milliseconds(500))
        #expect(device.questions.map(\.ids.count) == [1, 256, 43])
        #expect(Set(device.questions.flatMap(\.ids)).count == 300)
    }

    @Test func unknownOnesAreNotAskedAgainForAWhile() throws {
        var device = BeaconDevice()
        try device.subscribe()
        func live(_ seconds: Int) {
            for _ in 0..<seconds {
                device.pass(.seconds(1))
                device.hear(BeaconDevice.id(1))
            }
        }
        device.hear(BeaconDevice.id(1))
        device.answer()
        live(59)
        #expect(device.questions.count == 1)
        live(2)
        #expect(device.questions.count == 2)
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "late"))
        #expect(device.story() == ["+late"])
        live(299)
        #expect(device.questions.count == 2)
        live(3)
        #expect(device.questions.count == 3)
        // The beacon's owner has taken it back.
        device.answer()
        #expect(device.story() == ["+late", "-late"])
    }

    @Test func aRegistryThatDoesNotAnswerIsAskedLaterAndLater() throws {
        var device = BeaconDevice()
        try device.subscribe()
        device.hear(BeaconDevice.id(1))
        // The intervals are 1, 2, 4, 8, 16, 30, 30 … s, or as little as half of that.
        for _ in 0..<120 {
            device.fail()
            device.pass(.seconds(1))
            device.hear(BeaconDevice.id(1))
        }
        #expect((7...13).contains(device.questions.count), "\(device.questions.count)")
        #expect(device.questions.allSatisfy { $0.ids == [BeaconDevice.id(1)] })
        #expect(device.state.currentStatus?.registryError == .unreachable("cut"))
        device.pass(.seconds(40))
        device.hear(BeaconDevice.id(1))
        device.pass(.seconds(2))
        device.answer(try BeaconDevice.known(BeaconDevice.id(1), "x"))
        #expect(device.story() == ["+x"] && device.state.currentStatus?.registryError == nil)
    }

    /// However many ids are invented, real beacons stay, and nothing grows.
    @Test func aFloodDoesNotPushOutWhatIsThere() throws {
        var device = BeaconDevice()
        try device.subscribe()
        device.hear(BeaconDevice.id(60_000))
        device.answer(try BeaconDevice.known(BeaconDevice.id(60_000), "x"))
        for second in 0..<60 {
            device.pass(.seconds(1))
            device.hear(BeaconDevice.id(60_000))
            for number in 0..<500 { device.hear(BeaconDevice.id((second * 500 + number) % 50_000)) }
            if device.questions.count > 1 { device.answer() }
        }
        #expect(device.story() == ["+x"])
        #expect(device.questions.allSatisfy { $0.ids.count <= 256 })
        #expect(device.questions.count <= 121)
    }
}
