import Testing

@testable import Plotting

@Suite struct AxisTicksTests {
    @Test(arguments: [
        (0.0...1.5, 12, "0.0 0.2 0.4 0.6 0.8 1.0 1.2 1.4"), (16...22, 6, "16 17 18 19 20 21 22"),
        (-50 ... -20, 8, "-50 -45 -40 -35 -30 -25 -20"), (100.3...107.3, 8, "101 102 103 104 105 106 107"),
        (0...3600, 12, "0 500 1000 1500 2000 2500 3000 3500"), (2...2, 4, "2.000"),
        (0.001...0.0015, 5, "0.0010 0.0011 0.0012 0.0013 0.0014 0.0015"),
    ])
    func areRound(range: ClosedRange<Double>, mostCount: Int, labels: String) {
        let ticks = AxisTicks(range, mostCount: mostCount)
        #expect(ticks.values.map(ticks.label).joined(separator: " ") == labels)
    }
}
