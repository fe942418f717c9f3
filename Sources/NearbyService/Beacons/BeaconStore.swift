import Nearby

/// A store of beacons: which beacons there are, who owns them, and what they stand for. Any instance reads
/// and writes it at any time. Nothing of it is kept in memory, so no instance needs a lease.
package protocol BeaconStore: Sendable {
    /// Returns the existing namespaces among these names.
    func namespaces(named names: [String]) async throws(StoreError) -> [BeaconNamespace]
    /// Returns the namespaces of a project, ordered by name.
    func namespaces(of project: ProjectID) async throws(StoreError) -> [BeaconNamespace]
    /// Returns the existing beacons among these names, of any project.
    func beacons(named names: [BeaconName]) async throws(StoreError) -> [RegisteredBeacon]
    /// Returns at most `count` beacons of a project that come after that name, ordered by name. If
    /// `areEphemeral` is true, it returns only beacons that change their names.
    func beacons(
        of project: ProjectID, after name: BeaconName?, areEphemeral: Bool, count: Int
    ) async throws(StoreError) -> [RegisteredBeacon]

    /// Writes all of these or none. It writes a beacon if the stored one has the same revision, or if none is
    /// stored and the revision is 0. It writes a namespace unless it is another project's.
    ///
    /// Throws: `.exists`, `.changed`, `.full`.
    func write(
        _ namespaces: [BeaconNamespace], _ beacons: [RegisteredBeacon], of project: ProjectID,
        limits: BeaconLimits
    ) async throws(StoreError)

    // MARK: Changing names

    /// Returns the generation of a project's beacons, which changes with each ``write(_:_:of:limits:)``.
    func beaconGeneration(of project: ProjectID) async throws(StoreError) -> Int64
    /// Returns the drift that was last stored for each beacon of a project. Beacons without a stored drift
    /// are missing.
    func drifts(of project: ProjectID) async throws(StoreError) -> [BeaconName: BeaconDrift]
    /// Stores the drift of a beacon and replaces an earlier one.
    func note(_ drift: BeaconDrift, of beacon: BeaconName, project: ProjectID) async throws(StoreError)
    /// Returns the private key with which beacons agree on their keys. If there was none, the function stores
    /// and returns `new`.
    func resolverKey(orElse new: [UInt8]) async throws(StoreError) -> [UInt8]
}
