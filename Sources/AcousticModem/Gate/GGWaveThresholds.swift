/// The thresholds of the ggwave receivers, in the order in which sound meets them.
struct GGWaveThresholds: Sendable {
    /// The agreement of a start marker, of 16 at most; noise of three bands reaches it 50 to 300 times an
    /// hour.
    let markerAgreement: Float = 2.2
    /// The deviations over noise's mean that a message of fixed length needs, which has no markers. Chosen,
    /// not measured.
    let fixedDeviations: Float = 4.5
    /// The nats that a length in the first bytes needs to be compared with others near by. Chosen, not
    /// measured.
    let listedLengthNats: Float = 2
    /// The nats that a length needs to be tried. Chosen, not measured.
    let lengthNats: Float = 3
    /// The nats that only a message at the right place has: no other places are tried then. Chosen, not
    /// measured.
    let placedNats: Float = 30
    /// The nats of an end marker that rule out any other message there: the best so far is reported at once.
    /// Chosen, not measured.
    let endMarkerNats: Float = 6
    /// The evidence of a message. Chance reaches e^−16 a try at most; of 1080 clean messages none was read
    /// wrong.
    let frameNats: Float = 16
    /// The same for few bytes of fixed length, for each byte of parity, which is worth 5.5 nats at most.
    let parityByteNats: Float = 4.2
    /// The evidence over the next likely message. Chosen, not measured.
    let marginNats: Float = 2.5
}

extension AcceptanceGate {
    /// The gate of ggwave's messages, whose parity is their check. It also judges lengths, which are found.
    ///
    /// - Parameter parityByteCount: the parity of a message without markers; `nil` if the message has
    ///   markers, which are evidence too.
    static func ggwave(parityByteCount: Int? = nil) -> AcceptanceGate {
        let thresholds = Thresholds.ggwave
        let most = parityByteCount.map { thresholds.parityByteNats * Float($0) } ?? .infinity
        return AcceptanceGate(
            look: Demand(pilotNats: thresholds.lengthNats),
            frame: Demand(nats: min(thresholds.frameNats, most), margin: thresholds.marginNats),
            certain: Demand(pilotNats: thresholds.endMarkerNats))
    }
}
