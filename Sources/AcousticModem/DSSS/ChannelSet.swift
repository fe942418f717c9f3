/// The channels that are heard jointly, by their place among all channels of a band.
struct ChannelSet: Sendable, Equatable {
    /// The most channels that are heard jointly. The others are heard by themselves.
    static let most = 4

    private(set) var count = 0
    private var places = InlineArray<4, Int>(repeating: 0)

    /// Creates the set of one channel.
    init(_ channel: Int) { append(channel) }

    /// Creates a set of at most ``most`` channels.
    init(_ channels: some Sequence<Int>) { for channel in channels { append(channel) } }

    private mutating func append(_ channel: Int) {
        precondition(count < ChannelSet.most, "as many channels as are heard jointly")
        places[count] = channel
        count += 1
    }

    subscript(index: Int) -> Int { places[index] }

    var indices: Range<Int> { 0..<count }

    static func == (a: ChannelSet, b: ChannelSet) -> Bool {
        a.count == b.count && a.indices.allSatisfy { a[$0] == b[$0] }
    }
}
