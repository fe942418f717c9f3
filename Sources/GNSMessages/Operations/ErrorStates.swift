import Nearby

/// An observer that notifies an app when the media's permissions or power change.
final class ErrorStates: Sendable {
    /// One possible obstacle.
    private struct Watch: Sendable {
        let handler: HandlerBox<Bool>
        let stands: @Sendable ([Medium: EngineStatus.OnMedium]) -> Bool
    }

    private let watches: [Watch]

    init(_ params: GNSMessageManagerParams, executor: GNSExecutor, environment: GNSEnvironment) {
        let powerAlert = params.shouldShowBluetoothPowerAlert ? environment.showBluetoothPowerAlert : nil
        let isOff: @Sendable ([Medium: EngineStatus.OnMedium]) -> Bool = { $0[.ble].has(.poweredOff) }
        watches = [
            Watch(
                handler: HandlerBox(params.microphonePermissionErrorHandler, on: executor),
                stands: { $0[.audio]?.condition.scan == .forbidden }),
            Watch(handler: HandlerBox(params.bluetoothPowerErrorHandler, on: executor), stands: isOff),
            Watch(
                handler: HandlerBox(params.bluetoothPermissionErrorHandler, on: executor),
                stands: { $0[.ble].has(.forbidden) }),
            Watch(
                handler: HandlerBox(powerAlert.map { alert in { if $0 { alert() } } }, on: executor),
                stands: isOff),
        ].filter { !$0.handler.isEmpty }
    }

    /// Follows the media from now on, not only from the first operation, if the app has a handler for it.
    func follow(_ link: EngineLink) {
        guard !watches.isEmpty else { return }
        let watches = watches
        link.tell { engine in
            let statuses = await engine.statuses()
            await engine.listen()
            Task.detached { await ErrorStates.follow(statuses, watches) }
        }
    }

    private static func follow(_ statuses: AsyncStream<EngineStatus>, _ watches: [Watch]) async {
        var standing = watches.map { _ in false }
        for await status in statuses {
            for (n, watch) in watches.enumerated() where watch.stands(status.media) != standing[n] {
                standing[n].toggle()
                watch.handler.call(standing[n])
            }
        }
    }

    func close() { for watch in watches { watch.handler.close() } }
}

extension EngineStatus.OnMedium? {
    /// Returns true if the obstacle stands in either direction.
    fileprivate func has(_ obstacle: MediumCondition.Obstacle) -> Bool {
        self?.condition.broadcast == obstacle || self?.condition.scan == obstacle
    }
}
