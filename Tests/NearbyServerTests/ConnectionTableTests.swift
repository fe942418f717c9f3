import NearbyService
import NearbyTestSupport
import Testing

@testable import NearbyServer

/// Tests of the connections that are closed when a place is needed.
@Suite struct ConnectionTableTests {
    private let closed = Locked<[String]>([])

    private func admit(
        _ name: String, _ address: String, to table: ConnectionTable, isExempt: Bool = false
    ) throws -> Int {
        try table.admit(from: IPAddress(address), isExempt: isExempt) { [closed] in
            closed.withLock { $0.append(name) }
        }.number
    }

    private var gone: [String] { closed.withLock { $0 } }

    @Test func strangersGoFirstAndTheOldestOfThem() throws {
        let table = ConnectionTable(ConnectionLimits(total: 16))
        let known = try admit("known", "192.0.2.1", to: table)
        table.setKnown(known)
        table.endRequest(known)
        for n in 0..<8 { _ = try admit("\(n)", "198.51.\(n).1", to: table) }
        _ = try admit("next", "203.0.113.1", to: table)
        #expect(gone == ["0"])
        #expect(table.counts.connections == 9 && table.counts.strangers == 8)
    }

    /// If half of the places are taken, an address with more than an eighth of them loses one of its own
    /// connections.
    @Test func anAddressPaysForItself() throws {
        let table = ConnectionTable(ConnectionLimits(total: 64))
        for n in 0..<33 {
            let number = try admit("a\(n)", "192.0.2.1", to: table)
            table.setKnown(number)
            table.endRequest(number)
        }
        _ = try admit("b", "198.51.100.1", to: table)
        #expect(gone == [])
        _ = try admit("a", "192.0.2.1", to: table)
        #expect(gone == ["a0"])
        // The same holds for the site: this is another address of it.
        _ = try admit("c", "192.0.2.99", to: table)
        #expect(gone == ["a0", "a"])
    }

    @Test func whoIsBusyStays() throws {
        let table = ConnectionTable(ConnectionLimits(total: 16))
        var numbers: [Int] = []
        for n in 0..<16 {
            numbers.append(try admit("\(n)", "198.51.\(n).1", to: table))
            table.setKnown(numbers[n])
        }
        #expect(throws: ConnectionTable.Refusal.full) { try admit("next", "203.0.113.1", to: table) }
        table.endRequest(numbers[5])
        _ = try admit("next", "203.0.113.1", to: table)
        #expect(gone == ["5"])
        #expect(table.counts.refused == 1 && table.counts.displaced == 1)
    }

    /// A connection that gets another request is not idle meanwhile, and has been idle for the shortest time
    /// after it.
    @Test func whoAsksAgainStays() throws {
        let table = ConnectionTable(ConnectionLimits(total: 16))
        var numbers: [Int] = []
        func add(_ name: String, _ address: String) throws {
            numbers.append(try admit(name, address, to: table))
            table.setKnown(numbers.last!)
        }
        for n in 0..<16 { try add("\(n)", "198.51.\(n).1") }
        for number in numbers { table.endRequest(number) }
        for n in 0..<2 { table.beginRequest(numbers[n]) }
        try add("next", "203.0.113.1")
        #expect(gone == ["2"])
        table.endRequest(numbers[1])
        table.endRequest(numbers[0])
        for n in 3..<17 { try add("after \(n)", "203.0.\(n).1") }
        #expect(gone.suffix(2) == ["15", "1"])
    }

    @Test func bodiesAreGivenBack() throws {
        var limits = ConnectionLimits(total: 16)
        (limits.bodyBytes, limits.bodyBytesOfAddress, limits.bodyBytesOfStrangers) = (100, 60, 50)
        let table = ConnectionTable(limits)
        let (a, b) = (try admit("a", "192.0.2.1", to: table), try admit("b", "198.51.100.1", to: table))
        try table.addBody(50, to: a)
        #expect(throws: ConnectionTable.Refusal.bodies) { try table.addBody(1, to: b) }
        table.setKnown(a)
        try table.addBody(10, to: a)
        #expect(throws: ConnectionTable.Refusal.bodiesOfAddress) { try table.addBody(1, to: a) }
        table.setKnown(b, isExempt: true)
        try table.addBody(40, to: b)
        #expect(throws: ConnectionTable.Refusal.bodies) { try table.addBody(1, to: b) }
        table.remove(a)
        try table.addBody(60, to: b)
        table.endRequest(b)
        let c = try admit("c", "192.0.2.1", to: table)
        try table.addBody(50, to: c)
    }

    /// Many connections that came and went leave nothing behind.
    @Test func nothingIsLeft() throws {
        let table = ConnectionTable(ConnectionLimits(total: 64))
        for n in 0..<1000 {
            let number = try admit("\(n)", "198.51.\(n % 50).1", to: table)
            if n % 3 == 0 { table.setKnown(number, isExempt: n % 2 == 0) }
            try table.addBody(n, to: number)
            table.endRequest(number)
            if n % 5 == 0 { try table.addBody(n, to: number) }
        }
        table.closeAll()
        for n in 0..<1000 { table.remove(n) }
        #expect(table.counts.connections == 0 && table.counts.strangers == 0)
        #expect(table.isEmpty)
    }
}
