import Signal

/// The fields of the channels beside the first one that a search reads; none if it searches one channel.
///
/// All fields hold the same columns of core bins. This is a reference to the caller's fields: if a copy of a
/// field were alive when the next block is made, all of the field would be copied.
struct OtherFields {
    private let fields: UnsafeMutablePointer<CopyOnWrite<ClusterField>>?
    private let channels: ChannelSet

    /// No other channels.
    static var none: OtherFields { OtherFields(fields: nil, channels: ChannelSet(0)) }

    /// Calls `body` with the field of the first of `channels` and with the others.
    static func with(
        _ fields: inout [CopyOnWrite<ClusterField>], _ channels: ChannelSet,
        _ body: (_ first: inout ClusterField, _ others: OtherFields) -> Void
    ) {
        fields.withUnsafeMutableBufferPointer {
            let all = $0.baseAddress!
            body(&all[channels[0]].value, OtherFields(fields: all, channels: channels))
        }
    }

    /// The places of the other channels; that of the first is 0.
    var places: Range<Int> { 1..<channels.count }

    /// Calls `body` with the field at a place, which it only reads. It stands in place, so that nothing is
    /// copied.
    @inline(__always)
    func read<Result>(_ place: Int, _ body: (inout ClusterField) -> Result) -> Result {
        body(&fields![channels[place]].value)
    }

    /// Changes each of the other fields in place.
    func change(_ body: (inout ClusterField) -> Void) {
        for place in places { body(&fields![channels[place]].value) }
    }

    /// Returns true if the sound of any channel gets louder or quieter within `span` columns from `position`.
    func haveSteps(_ first: ClusterField, from position: SamplePosition, span: Int) -> Bool {
        first.hasSteps(from: position, span: span)
            || places.contains { read($0) { $0.hasSteps(from: position, span: span) } }
    }

    /// Calls `body` with the rows of a bin on all channels.
    @inline(__always)
    func withBin<Result>(_ bin: Int, _ first: ClusterField, _ body: (ChannelRows) -> Result) -> Result {
        first.withBin(bin) { values, gates in
            var rows = ChannelRows(values, gates, count: channels.count)
            // Nothing changes the other fields while `body` runs: their rows stay where they are.
            for place in places { read(place) { $0.withBin(bin) { rows.set(place, $0, $1) } } }
            return body(rows)
        }
    }
}

/// The rows of one bin, one for each channel.
struct ChannelRows {
    let count: Int
    #if ONE_CHANNEL
        private var values: InlineArray<1, ClusterRows.Row<Complex>>
        private var gates: InlineArray<1, ClusterRows.Row<Float>>
    #else
        private var values: InlineArray<4, ClusterRows.Row<Complex>>
        private var gates: InlineArray<4, ClusterRows.Row<Float>>
    #endif

    /// - Parameter count: the number of channels; all begin with the first one's rows.
    @inline(__always)
    init(_ values: ClusterRows.Row<Complex>, _ gates: ClusterRows.Row<Float>, count: Int) {
        self.count = count
        self.values = .init(repeating: values)
        self.gates = .init(repeating: gates)
    }

    mutating func set(
        _ channel: Int, _ values: ClusterRows.Row<Complex>, _ gates: ClusterRows.Row<Float>
    ) {
        (self.values[channel], self.gates[channel]) = (values, gates)
    }

    /// Returns a channel's correlations from a position on.
    @inline(__always)
    func values(_ channel: Int, from position: SamplePosition) -> UnsafePointer<Complex> {
        values[channel].from(position)
    }

    /// Returns a channel's gates from a position on.
    @inline(__always)
    func gates(_ channel: Int, from position: SamplePosition) -> UnsafePointer<Float> {
        gates[channel].from(position)
    }
}
