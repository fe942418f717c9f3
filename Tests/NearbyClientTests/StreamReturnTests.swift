import Nearby
import NearbyWire
import Signal
import Testing

@testable import NearbyClient

@Suite struct StreamReturnTests {
    private var random = SplitMix64(seed: 1)

    private func delivery(_ change: Answer.Change, _ number: UInt64) throws -> Answer.Delivery {
        .init(
            change, Discovery(id: PublicationID(bits: number), message: try Message("m")),
            to: OperationID(1))
    }

    private mutating func draws(_ value: StreamReturn) -> [Double] {
        (0..<2000).compactMap { _ in value.draw(using: &random).map { $0 / .seconds(1) } }
    }

    @Test mutating func withoutAdviceNothingIsDrawn() {
        var value = StreamReturn()
        #expect(draws(value).isEmpty)
        value.take(retryWithinSeconds: nil)
        value.take(retryWithinSeconds: 0)
        #expect(draws(value).isEmpty)
    }

    /// 2000 draws from 0.25 s to 100 s have a mean of 50.1 s, with a standard error of 0.65 s.
    @Test mutating func clientsWithoutFindsSpreadOverTheWholeTime() {
        var value = StreamReturn()
        value.take(retryWithinSeconds: 100)
        let all = draws(value)
        #expect(all.allSatisfy { (0.25...100).contains($0) })
        #expect(abs(all.reduce(0, +) / 2000 - 50.125) < 4)
        #expect(all.min()! < 1 && all.max()! > 99)
    }

    @Test mutating func aClientWithFindsComesBackSoon() throws {
        var value = StreamReturn()
        value.take(retryWithinSeconds: 600)
        value.note([try delivery(.found, 1), try delivery(.found, 2), try delivery(.lost, 1)])
        #expect(draws(value).allSatisfy { (0.25...2).contains($0) })
        value.note([try delivery(.lost, 2)])
        #expect(draws(value).contains { $0 > 10 })
        // What an ended subscription has found is not delivered as lost.
        value.note([try delivery(.found, 3)])
        value.forget([OperationID(1)])
        #expect(draws(value).contains { $0 > 10 })
    }

    @Test mutating func aTimeBeyondAnHourIsNotBelieved() {
        var value = StreamReturn()
        value.take(retryWithinSeconds: .max)
        #expect(draws(value).allSatisfy { $0 <= 3600 })
    }
}
