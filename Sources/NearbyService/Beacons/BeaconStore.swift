import Nearby

/// What outlives a service of beacons: which there are, whose they are, what they stand for. Any instance reads and writes it at any
/// time: nothing of it is kept in memory, so that nobody needs a lease.
public protocol BeaconStore: Sendable {
    /// Those of these names that exist.
    func namespaces(named names: [String]) async throws(StoreError) -> [BeaconNamespace]
    /// By name.
    func namespaces(of project: ProjectID) async throws(StoreError) -> [BeaconNamespace]
    /// Those of these names that exist, whosever they are.
    func beacons(named names: [BeaconName]) async throws(StoreError) -> [RegisteredBeacon]
    /// By name, at most `count` of those after that one.
    func beacons(
        of project: ProjectID, after name: BeaconName?, areEphemeral: Bool, count: Int
    ) async throws(StoreError) -> [RegisteredBeacon]

    /// All or nothing. A beacon is written when the stored one has its revision, or there is none and that is 0; a namespace when
    /// it is not another project's.
    ///
    /// Throws: `.exists`, `.changed`, `.full`.
    func write(
        _ namespaces: [BeaconNamespace], _ beacons: [RegisteredBeacon], of project: ProjectID,
        limits: BeaconLimits
    ) async throws(StoreError)

    // MARK: Changing names

    /// Another one after each ``write(_:_:of:limits:)``.
    func beaconGeneration(of project: ProjectID) async throws(StoreError) -> Int64
    /// What was noted last, of each of its beacons; a beacon of which nothing was noted is not there.
    func drifts(of project: ProjectID) async throws(StoreError) -> [BeaconName: BeaconDrift]
    /// Takes the place of what was noted of that beacon before.
    func note(_ drift: BeaconDrift, of beacon: BeaconName, project: ProjectID) async throws(StoreError)
    /// The private key that beacons agree with; `new` when there was none.
    func resolverKey(orElse new: [UInt8]) async throws(StoreError) -> [UInt8]
}
