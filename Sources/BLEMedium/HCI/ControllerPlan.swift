import Nearby

/// The state that a controller is to reach, and the next step on the way there. A value.
///
///     advertising off ─→ scan off ─→ parameters ─→ address ─→ data ─→ scan on ─→ advertising on
///
/// While an advertisement runs, only its data may change, and only to other data of the same epoch. A new
/// token is therefore never sent from the old one's address.
struct ControllerPlan: Sendable, Hashable {
    struct Advertising: Sendable, Hashable {
        var parameters: ControllerState.AdvertisingParameters
        var epoch: UInt64
        var data: [UInt8]
    }

    var advertising: Advertising?
    var scan: RadioOrder.Scan?

    /// Returns the next step; `nil` if the controller does everything.
    func nextStep(
        from state: ControllerState, _ random: inout some RandomNumberGenerator
    ) -> ControllerStep? {
        beginning(state, &random) ?? ending(state) ?? advertisingStep(state, &random) ?? scanStep(state)
            ?? (advertising != nil && !state.isAdvertising ? .enableAdvertising(true) : nil)
    }

    /// Returns the next step after a reset.
    private func beginning(
        _ state: ControllerState, _ random: inout some RandomNumberGenerator
    ) -> ControllerStep? {
        if state.commands == nil { return .readCommands }
        if state.hasExtended == nil { return .readFeatures }
        if !state.isEventMaskSet { return .setEventMask }
        if !state.isLEEventMaskSet { return .setLEEventMask }
        return state.address == nil ? .setAddress(.nonResolvable(&random)) : nil
    }

    private func ending(_ state: ControllerState) -> ControllerStep? {
        if state.isAdvertising {
            guard let advertising, advertising.epoch == state.epoch,
                advertising.parameters == state.advertisingParameters
            else { return .enableAdvertising(false) }
        }
        guard state.isScanning else { return nil }
        // With the old commands there is one address for everything. It stays as long as a scan or an
        // advertisement runs.
        let isAddressInUse =
            state.hasExtended == false && advertising.map { $0.epoch != state.epoch } ?? false
        return isAddressInUse || state.scan != scan ? .enableScan(false) : nil
    }

    private func advertisingStep(
        _ state: ControllerState, _ random: inout some RandomNumberGenerator
    ) -> ControllerStep? {
        guard let advertising else { return nil }
        if state.advertisingParameters != advertising.parameters {
            return .setAdvertisingParameters(advertising.parameters)
        }
        if state.epoch != advertising.epoch {
            return .setAdvertisingAddress(.nonResolvable(&random), epoch: advertising.epoch)
        }
        return state.data != advertising.data ? .setData(advertising.data) : nil
    }

    private func scanStep(_ state: ControllerState) -> ControllerStep? {
        guard let scan else { return nil }
        if state.scan != scan { return .setScan(scan) }
        return state.isScanning ? nil : .enableScan(true)
    }
}
