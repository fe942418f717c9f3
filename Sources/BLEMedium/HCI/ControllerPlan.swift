import Nearby

/// What a controller is to do at one time, and the next step on the way there. A value.
///
///     advertising off ─→ scan off ─→ parameters ─→ address ─→ data ─→ scan on ─→ advertising on
///
/// Nothing is changed under a running advertisement but its data, and these only for others of the same epoch. So a new token
/// is never sent from the old one's address.
struct ControllerPlan: Sendable, Hashable {
    struct Advertising: Sendable, Hashable {
        var parameters: ControllerState.AdvertisingParameters
        var epoch: UInt64
        var data: [UInt8]
    }

    var advertising: Advertising?
    var scan: RadioOrder.Scan?

    /// nil: the controller does all of it.
    func nextStep(
        from state: ControllerState, _ random: inout some RandomNumberGenerator
    ) -> ControllerStep? {
        beginning(state, &random) ?? ending(state) ?? advertisingStep(state, &random) ?? scanStep(state)
            ?? (advertising != nil && !state.isAdvertising ? .enableAdvertising(true) : nil)
    }

    /// After a reset.
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
        // With the old commands there is one address for all, which stays as long as something runs.
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
