import Picture
import Testing

@testable import Plotting

/// Tests with two devices: the second comes in, is known for half of the time, and is lost.
@Suite struct StoryPictureTests {
    private var plot: StoryPlot {
        StoryPlot(
            title: "two devices", summary: ["found once"], seconds: 40,
            rooms: [.init("room", from: [0, 0], to: [6, 5])], doors: [.init(from: [6, 2], to: [6, 3])],
            furniture: [.init("TV", at: [1, 1])],
            devices: [
                .init(
                    "box", way: [.init(seconds: 0, place: [1, 4])], stays: [.init("room", seconds: 0..<40)],
                    sent: [0..<10], heard: nil, knowledge: []),
                .init(
                    "phone",
                    way: [.init(seconds: 5, place: [8, 2.5]), .init(seconds: 10, place: [3, 2.5])],
                    stays: [.init("hall", seconds: 0..<7), .init("room", seconds: 7..<40)], sent: [],
                    heard: [.init(seconds: 0..<10, sender: 0)],
                    knowledge: [
                        .init(
                            "finds it", publisher: 0,
                            [
                                .init(
                                    seconds: 10..<30, foundAfterSeconds: 3, isLost: true,
                                    lostAfterSeconds: 9.5)
                            ])
                    ]),
            ])
    }

    /// The second device's row has a quarter of the time axis in the sender's colour for sending, half for
    /// being known, and one mark for the loss.
    @Test func bars() {
        let canvas = StoryPicture.draw(plot)
        #expect(canvas.width == StoryPicture.width)
        let rows = (0..<canvas.height - 44).map { y in
            (
                box: (760..<1570).count { canvas[$0, y] == Theme.device(0) },
                lost: (760..<1570).count { canvas[$0, y] == Theme.loss }
            )
        }
        #expect(rows.contains { (195...205).contains($0.box) && $0.lost == 0 })
        #expect(rows.contains { (400...410).contains($0.box) && $0.lost == LanePanel.lossWidth })
    }

    @Test func restsOnceForEachPlace() {
        let way = [(2.0, 0.0), (5, 3), (20, 3), (25, 0)].map {
            StoryPlot.Waypoint(seconds: $0.0, place: [$0.1, 0])
        }
        let rests = PlanPanel.rests(way, untilSeconds: 40)
        #expect(rests.map(\.seconds) == [[0..<2, 25..<40], [5..<20]])
    }

    @Test func nothingAtAll() {
        let empty = StoryPlot(
            title: "", summary: [], seconds: 1, rooms: [], doors: [], furniture: [], devices: [])
        #expect(StoryPicture.draw(empty).height > 0)
    }
}
