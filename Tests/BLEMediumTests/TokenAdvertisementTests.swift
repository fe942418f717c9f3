import BLEMedium
import Beacons
import Nearby
import TestSupport
import Testing

struct TokenAdvertisementTests {
    private let token: [UInt8] = [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7]
    private static let own = "cdd6bcf20dfe72a4 5447 0893 5b073184".filter { $0 != " " }

    /// Written by hand: flags, 26 bytes of data of our service, version 7.
    @Test func theStandardLayout() {
        let data = TokenAdvertisement().data(of: token, room: 31)
        #expect(data == [UInt8](hexadecimal: "0201061a21\(TokenAdvertisementTests.own)e0a0a1a2a3a4a5a6a7"))
    }

    /// With a number of two bytes there is room for the list of services as well.
    @Test func theShortLayout() throws {
        let advertisement = TokenAdvertisement(try #require(BluetoothUUID("fef3")))
        let data = advertisement.data(of: token, room: 31)
        #expect(data == [UInt8](hexadecimal: "0201060303f3fe0c16f3fee0a0a1a2a3a4a5a6a7"))
        let bare = advertisement.data(of: token, room: 28, hasFlags: false)
        #expect(bare == [UInt8](hexadecimal: "0303f3fe0c16f3fee0a0a1a2a3a4a5a6a7"))
    }

    /// The values agree with the table of the README.
    @Test(arguments: [("fef3", 31, 26, 19), ("8431075b-9308-4754-a472-fe0df2bcd6cd", 31, 12, 9)])
    func theBudget(_ service: String, _ room: Int, _ longest: Int, _ longestWithFlags: Int) throws {
        let advertisement = TokenAdvertisement(try #require(BluetoothUUID(service)))
        #expect(advertisement.longestFrame(room: room) == longest)
        for count in 8...32 {
            let data = advertisement.data(of: .init(repeating: 1, count: count), room: room)
            #expect((data != nil) == (count <= longest))
            let isAll = data.map {
                $0.starts(with: [2, 1, 6]) && (service.count > 4 || $0.count == count + 12)
            }
            #expect((isAll ?? false) == (count <= longestWithFlags), "\(count)")
        }
    }

    @Test(arguments: ["fef3", "8431075b-9308-4754-a472-fe0df2bcd6cd"], [28, 31, 251])
    func whatIsComposedIsRead(_ service: String, _ room: Int) throws {
        let advertisement = TokenAdvertisement(try #require(BluetoothUUID(service)))
        var random = TestRandom(1)
        for count in 8...32 {
            let frame = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            guard let data = advertisement.data(of: frame, room: room) else { continue }
            #expect(data.count <= room && advertisement.frames(in: data) == [frame])
            #expect(TokenAdvertisement(try #require(BluetoothUUID("feaa"))).frames(in: data) == [])
            for end in 0..<(data.count - count) {
                #expect(advertisement.frames(in: Array(data.prefix(end))) == [])
            }
        }
    }

    /// The data are padding, a length past the end, another version, or a frame of a length that does not
    /// exist.
    @Test(arguments: [
        "", "00", "020106", "0201060c16f3fe60a0a1a2a3a4a5a6a7", "0c16f3fee0a0a1a2a3a4a5a6", "0316f3fe",
        "0216f3",
        "0a16f3fee0a0a1a2a3a4a5", "0000", "ff16f3fee0a0a1a2a3a4a5a6a7",
        "0c20f3fee0a0a1a2a3a4a5a6a7",
    ])
    func anythingElseHoldsNothing(_ hexadecimal: String) throws {
        let data = try #require([UInt8](hexadecimal: hexadecimal))
        #expect(TokenAdvertisement(try #require(BluetoothUUID("fef3"))).frames(in: data) == [])
    }

    /// Lengths of 0 between them are skipped.
    @Test(arguments: [
        "0c16f3fee0a0a1a2a3a4a5a6a70c16f3fee0b0b1b2b3b4b5b6b7",
        "000c16f3fee0a0a1a2a3a4a5a6a700000c16f3fee0b0b1b2b3b4b5b6b700",
    ])
    func severalInOneAdvertisement(_ hexadecimal: String) throws {
        let data = try #require([UInt8](hexadecimal: hexadecimal))
        #expect(TokenAdvertisement(try #require(BluetoothUUID("fef3"))).frames(in: data).count == 2)
    }
}
