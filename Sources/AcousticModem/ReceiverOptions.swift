/// The searches of a receiver beyond those for single DSSS frames and for pairs of repeats.
public struct ReceiverOptions: Sendable, Hashable {
    /// True to look for the DSSS tokens of the last five minutes with all of their chips, where their next
    /// frames are expected: 6 dB fainter than they are decoded. See ``DecodeReport/isRenewal``.
    public var renewsTokens: Bool
    /// True to search four repeats of a DSSS frame as one, too, on each channel by itself. A token that is
    /// sent again and again is then heard 1.5 dB fainter. Listening to noise takes two thirds more, and
    /// 2 MB.
    public var joinsFourRepeats: Bool
    /// The words that a receiver lets only their check bits keep out before it doubts what it decodes
    /// (``ChanceBound``). Tests empty the reserve.
    package var chanceWordReserve = Thresholds.reports.chanceWordReserve

    /// Creates options; without arguments nothing beyond the usual is searched.
    public init(renewsTokens: Bool = false, joinsFourRepeats: Bool = false) {
        (self.renewsTokens, self.joinsFourRepeats) = (renewsTokens, joinsFourRepeats)
    }
}
