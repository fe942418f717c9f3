/// Events of the near future, in the order of their times. Times are whole ticks.
struct Calendar<Event> {
    private var ticks: [[Event]]
    private(set) var now = 0

    /// - Parameter length: the number of ticks after which nothing happens any more.
    init(length: Int) { ticks = Array(repeating: [], count: length) }

    var length: Int { ticks.count }
    var isOver: Bool { now >= ticks.count }

    /// Adds an event. One that lies beyond the end never happens.
    mutating func add(_ event: Event, at tick: Int) {
        let tick = max(now, tick)
        if tick < ticks.count { ticks[tick].append(event) }
    }

    /// Returns the events of the present tick and goes on to the next.
    mutating func next() -> [Event] {
        defer {
            ticks[now] = []
            now += 1
        }
        return ticks[now]
    }
}
