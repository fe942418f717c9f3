/// The thresholds of the UART receivers, in the order in which sound meets them. A *log ratio* is ln of all
/// energy over the energy that a carrier of one level leaves unexplained.
struct UARTThresholds: Sendable {
    /// The log ratio of a bit that is evidence neither for a carrier nor against one: more than noise has,
    /// less than a carrier that can be read.
    let neutralLogRatio: Float = 1.45
    /// The sum from which the carrier's level is taken as known. Chosen, not measured.
    let establishedNats: Float = 8
    /// The fall from the peak that ends a burst: about a byte's time of noise.
    let endingNats: Float = 11
    /// The log ratio of a burst, however long; noise has less.
    let burstLogRatio: Float = 1.2
    /// The addition to `burstLogRatio`, divided by the root of the bits. Chosen, not measured.
    let shortBurstLogRatio: Float = 4.5
    /// The least number of bytes for each wrong start or stop bit, as a burst was first read; a steady tone
    /// reads as bytes whose stop bits are all wrong.
    let foundFraming = 2
    /// The same once its edges are read again.
    let readFraming = 4
}

extension AcceptanceGate {
    /// The gate of bursts, whose framing is their check.
    static func uart(bitCount: Int64) -> AcceptanceGate {
        let short = Thresholds.uart.shortBurstLogRatio / Float(max(1, bitCount)).squareRoot()
        let burst = Demand(pilotNats: Thresholds.uart.burstLogRatio + short)
        return AcceptanceGate(look: burst, frame: burst)
    }
}
