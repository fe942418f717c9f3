/// The channels that are heard jointly, by their place among all channels of a band.
struct ChannelSet: Sendable, Equatable {
    /// The most channels that are heard jointly. The others are heard by themselves.
    ///
    /// One in the modem that pages load first (`ONE_CHANNEL`): the code for several would be a sixth more.
    #if ONE_CHANNEL
        static var most: Int { 1 }
        var count: Int { 1 }
    #else
        static var most: Int { 4 }
        var count: Int { filled }
    #endif

    private var filled = 0
    private var places = InlineArray<4, Int>(repeating: 0)

    /// Creates the set of one channel.
    init(_ channel: Int) { append(channel) }

    /// Creates a set of at most ``most`` channels.
    init(_ channels: some Sequence<Int>) { for channel in channels { append(channel) } }

    private mutating func append(_ channel: Int) {
        precondition(filled < ChannelSet.most, "as many channels as are heard jointly")
        places[filled] = channel
        filled += 1
    }

    subscript(index: Int) -> Int { places[index] }

    var indices: Range<Int> { 0..<count }

    static func == (a: ChannelSet, b: ChannelSet) -> Bool {
        a.count == b.count && a.indices.allSatisfy { a[$0] == b[$0] }
    }
}
