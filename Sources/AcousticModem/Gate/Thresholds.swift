/// The thresholds by which the receivers decide whether something is searched, looked at, remembered or
/// reported: one value a family.
///
/// Numbers that model sound (decays, priors, expected energies) and bounds on effort stand in the types that
/// use them.
enum Thresholds {
    static let guards = GuardThresholds()
    static let dsss = DSSSThresholds()
    static let fsk = FSKThresholds()
    static let ggwave = GGWaveThresholds()
    static let uart = UARTThresholds()
    /// The thresholds that all families share.
    static let reports = ReportThresholds()
}
