import BLEMedium
import Nearby
import Testing

struct HCIHostTests {
    private let advertisement = TokenAdvertisement()

    /// After Reset the host uses, step by step, the commands that the controller has, and none of the others.
    @Test(arguments: [false, true])
    func anOrderIsCarriedOut(hasExtended: Bool) throws {
        var scene = Scene(hasExtended: hasExtended)
        scene.carryOut(.token(7))
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
        #expect(scene.commands.allSatisfy { $0.status == 0 } && scene.commands.first?.command.code == .reset)
        #expect(
            scene.found.count == 2
                && scene.found.allSatisfy { if case .found(nil, _, _) = $0 { true } else { false } })
        let codes = Set(scene.commands.map(\.command.code))
        let old: Set<HCICommand.Code> = [
            .setAdvertisingParameters, .setAdvertisingData, .enableAdvertising, .setScanParameters,
            .enableScan,
        ]
        #expect(codes.isDisjoint(with: old) == hasExtended)
        scene.run(for: .seconds(1))
        let frame = try #require(scene.frames.last?.frame)
        #expect(advertisement.frames(in: frame.data) == [Token(bits: 7).bytes])
        #expect(frame.address.isNonResolvable && !frame.isExtended)
    }

    /// If a controller's feature and commands disagree, the host uses the old commands.
    @Test func aFeatureWithoutCommandsIsNotUsed() {
        var scene = Scene(hasExtended: true)
        scene.instead = { command in
            command.code.rawValue == 0x1002
                ? .some(HCIPacket(.event, [0x0E, 68, 1, 0x02, 0x10, 0] + [UInt8](repeating: 0, count: 64)))
                : .none
        }
        scene.carryOut(.token(7))
        #expect(scene.commands.contains { $0.command.code == .enableAdvertising && $0.status == 0 })
        #expect(!scene.commands.contains { $0.command.code == .enableSets })
    }

    /// The interval is 100 ms for half a minute, then 250 ms, from the same address.
    @Test(arguments: [false, true])
    func aNewTokenIsSentMoreOften(hasExtended: Bool) {
        var scene = Scene(hasExtended: hasExtended)
        scene.carryOut(.token(7))
        scene.run(for: .seconds(60))
        let early = scene.frames.filter { $0.time < .start + .seconds(30) }.count
        let late = scene.frames.count - early
        // The averages are 105 and 255 ms; the mean of so many delays of up to 10 ms is within 1 ms of that.
        #expect((283...289).contains(early), "\(early)")
        #expect((116...120).contains(late), "\(late)")
        #expect(Set(scene.frames.map(\.frame.address)).count == 1)
    }

    /// There are 10 000 new tokens, with and without a scan. While the controller sends, it never has a token
    /// under an earlier token's address, neither by the order of commands nor on air.
    @Test(arguments: [false, true], [RadioOrder.Scan.foreground, nil])
    func aNewTokenNeverGoesUnderAnOldAddress(hasExtended: Bool, scan: RadioOrder.Scan?) {
        var scene = Scene(hasExtended: hasExtended)
        let count: UInt64 = 2500
        for number in 1...count {
            scene.carryOut(.token(number, scan: scan))
            scene.run(for: .milliseconds(120))
        }
        var check = OrderCheck()
        for one in scene.commands { check.follow(one.command) }
        #expect(scene.commands.allSatisfy { $0.status == 0 })
        #expect(check.wrong == 0 && check.enabled == count)
        var addresses: [[UInt8]: Set<RadioAddress>] = [:]
        for one in scene.frames { addresses[one.frame.data, default: []].insert(one.frame.address) }
        #expect(addresses.count == count && addresses.values.allSatisfy { $0.count == 1 })
        #expect(Set(addresses.values.joined()).count == count)
    }

    /// The check itself works: it counts data that are set under a running advertisement with an old address.
    @Test func theOrderCheckCountsAMistake() {
        var check = OrderCheck()
        check.follow(HCICommand(.setRandomAddress, [1, 0, 0, 0, 0, 0]))
        check.follow(HCICommand(.setAdvertisingData, [1, 1]))
        check.follow(HCICommand(.enableAdvertising, [1]))
        check.follow(HCICommand(.setAdvertisingData, [1, 2]))
        check.follow(HCICommand(.enableAdvertising, [0]))
        check.follow(HCICommand(.setRandomAddress, [2, 0, 0, 0, 0, 0]))
        check.follow(HCICommand(.enableAdvertising, [1]))
        #expect(check.wrong == 1)
    }

    /// The new form is used only if it is requested and the controller has it.
    @Test(arguments: [false, true])
    func theExtendedForm(hasExtended: Bool) throws {
        var scene = Scene(hasExtended: hasExtended)
        scene.carryOut(.token(7, isExtended: true))
        scene.run(for: .seconds(1))
        #expect(try #require(scene.frames.last?.frame).isExtended == hasExtended)
    }

    @Test func severalContentsTakeTurns() {
        var scene = Scene()
        var order = RadioOrder.token(7)
        order.advertising?.contents.append(
            .init(plain: advertisement.data(of: Token(bits: 8).bytes, room: 31)))
        scene.carryOut(order)
        scene.run(for: .seconds(10))
        let counts = scene.frames.reduce(into: [:]) { $0[$1.frame.data, default: 0] += 1 }
        #expect(counts.count == 2 && counts.values.allSatisfy { $0 > 40 }, "\(counts.values)")
        #expect(Set(scene.frames.map(\.frame.address)).count == 1)
    }

    // MARK: Trouble

    /// A controller that does not answer is reset after 2 s. If it does not answer that, it is opened again.
    @Test func silenceIsResetAndThenReopened() {
        var scene = Scene()
        scene.instead = { $0.code == .setAdvertisingData ? .some(nil) : .none }
        scene.carryOut(.token(7))
        scene.run(for: .seconds(1.9))
        #expect(scene.commands.filter { $0.command.code == .reset }.count == 1)
        scene.run(for: .seconds(0.2))
        #expect(scene.commands.filter { $0.command.code == .reset }.count == 2)
        #expect(scene.reopened.isEmpty)
        scene.instead = { _ in .some(nil) }
        scene.run(for: .seconds(6))
        #expect(scene.reopened.first == "the controller did not answer command c03 within 2 s")
    }

    /// A refusal is reported, and the host tries again after 1, 2, 4 … s. The later success is reported too.
    @Test func aRefusalIsTriedAgainLaterAndLater() {
        var scene = Scene()
        scene.instead = { command in
            command.code == .enableAdvertising
                ? .some(HCIPacket(.event, [0x0E, 4, 1, 0x0A, 0x20, 0x0C])) : .none
        }
        scene.carryOut(.token(7))
        scene.run(for: .seconds(16))
        let tries = scene.commands.filter { $0.command.code == .enableAdvertising }.map(\.time.offset)
        #expect(tries == [.zero, .seconds(1), .seconds(3), .seconds(7), .seconds(15)])
        #expect(
            scene.found.contains(
                .found(.failing, .broadcast, "the controller refused command 200a with status c")))
        scene.instead = { _ in .none }
        scene.run(for: .seconds(16))
        #expect(scene.controller.isAdvertising)
        #expect(scene.found.contains(.found(nil, .broadcast, "the controller works again")))
    }

    /// The host sends one command at a time, and none while the controller takes none. The controller reports
    /// that it takes commands again by an answer to no command.
    @Test func aFullControllerIsWaitedFor() {
        var scene = Scene()
        scene.instead = { command in
            command.code == .setRandomAddress ? .some(HCIPacket(.event, [0x0E, 4, 0, 0x05, 0x20, 0])) : .none
        }
        scene.carryOut(.token(7))
        let count = scene.commands.count
        scene.run(for: .seconds(1))
        #expect(scene.commands.count == count && scene.commands.last?.command.code == .setRandomAddress)
        scene.instead = { _ in .none }
        scene.receive(HCIPacket(.event, [0x0E, 3, 1, 0, 0]))
        #expect(scene.controller.isAdvertising)
    }

    @Test func aBrokenControllerBeginsAnew() {
        var scene = Scene()
        scene.carryOut(.token(7))
        scene.receive(HCIPacket(.event, [0x10, 1, 0x42]))
        #expect(scene.commands.filter { $0.command.code == .reset }.count == 2)
        #expect(scene.controller.isAdvertising && scene.controller.isScanning)
    }

    /// The controller ends an advertisement by itself after 30 s, so that a killed program's ends; ours goes
    /// on.
    @Test func anAdvertisementThatEndsIsBegunAgain() {
        var scene = Scene(hasExtended: true)
        scene.carryOut(.token(7))
        let enable = scene.commands.last { $0.command.code == .enableSets }
        #expect(enable?.command.parameters == [1, 1, 0, 0xB8, 0x0B, 0])
        let count = scene.commands.count
        scene.receive(HCIPacket(.event, [0x3E, 6, 0x12, 0x3C, 0, 0, 0, 0]))
        #expect(scene.commands.count == count + 1 && scene.commands.last?.command.code == .enableSets)
    }

    @Test(arguments: [false, true])
    func stoppingIsAReset(hasExtended: Bool) {
        var scene = Scene(hasExtended: hasExtended)
        scene.carryOut(.token(7))
        scene.stop()
        #expect(scene.host.isStopped && !scene.controller.isAdvertising && !scene.controller.isScanning)
        #expect(scene.commands.last?.command.code == .reset)
        scene.run(for: .seconds(60))
        #expect(scene.commands.last?.command.code == .reset)
    }

    // MARK: Hearing

    /// A scan in the background restarts at random times, so that it also hears senders in step with its
    /// windows. Twenty senders send each 1125 ms, in every phase. Without restarts nine in ten of them would
    /// never be heard.
    @Test func aSenderInStepIsHeard() {
        for phase in 0..<20 {
            var scene = Scene()
            scene.carryOut(RadioOrder(scan: .background))
            scene.run(for: .milliseconds(phase * 56))
            var tries = 0
            while scene.heard.isEmpty && tries < 400 {
                scene.air(.init(RadioAddress(.random, bits: 5), [2, 1, 6]))
                scene.run(for: .milliseconds(1125))
                tries += 1
            }
            #expect(tries < 400)
        }
    }

    @Test func reportsOfEitherKindAreTaken() {
        var scene = Scene()
        scene.carryOut(RadioOrder(scan: .foreground))
        let body: [UInt8] =
            [0x0D, 1, 0x10, 0, 1, 6, 5, 4, 3, 2, 1, 1, 0, 0xFF, 0x7F, 0xD8] + [UInt8](repeating: 0, count: 9)
            + [1, 9]
        scene.receive(HCIPacket(.event, [0x3E, UInt8(body.count)] + body))
        scene.air(.init(RadioAddress(.random, bits: 5), [2, 1, 6]))
        #expect(scene.heard.map(\.data) == [[9], [2, 1, 6]])
        scene.receive(HCIPacket(.event, [0x3E, 1, 2]))
        #expect(scene.host.malformedCount == 1)
    }
}

/// A check that follows commands as a controller would. It counts each time that data of a new token stand
/// under an older one's address while the controller sends.
private struct OrderCheck {
    private var address: [UInt8] = []
    private var data: [UInt8] = []
    private var isOn = false
    private var firstUser: [[UInt8]: [UInt8]] = [:]
    private(set) var wrong = 0
    private(set) var enabled: UInt64 = 0

    mutating func follow(_ command: HCICommand) {
        switch command.code {
        case .setRandomAddress where !isOn: address = command.parameters
        case .setAddressOfSet where !isOn: address = Array(command.parameters.dropFirst())
        case .setAdvertisingData, .setDataOfSet: data = command.parameters
        case .enableAdvertising, .enableSets:
            isOn = command.parameters[0] == 1
            if isOn { enabled += 1 }
        default: return
        }
        guard isOn else { return }
        if firstUser[address, default: data] != data { wrong += 1 }
        firstUser[address] = firstUser[address] ?? data
    }
}
