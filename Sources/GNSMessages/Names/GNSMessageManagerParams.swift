import Foundation

/// The parameters of a ``GNSMessageManager``.
public final class GNSMessageManagerParams: NSObject {
    /// True if ``GNSEnvironment/showBluetoothPowerAlert`` tells the user when Bluetooth is off.
    public var shouldShowBluetoothPowerAlert = true
    /// True if sound is set up for tokens, not for music. ``GNSEnvironment/makeMedia`` receives it.
    public var shouldUseBestAudioSessionCategory = true

    /// Called when the microphone may not be used (true) and when it may again (false).
    public var microphonePermissionErrorHandler: GNSErrorStateHandler!
    /// Called when Bluetooth is switched off (true) and when it is on again (false).
    public var bluetoothPowerErrorHandler: GNSErrorStateHandler!
    /// Called when Bluetooth may not be used (true) and when it may again (false).
    public var bluetoothPermissionErrorHandler: GNSErrorStateHandler!

    /// The executor that calls all handlers of this manager; `nil` means ``GNSEnvironment/executor``. The
    /// original has no such parameter.
    public var executor: GNSExecutor?

    public override init() {}

    /// The name of ``shouldShowBluetoothPowerAlert`` in Swift 2.
    public var showBluetoothPowerAlert: Bool {
        get { shouldShowBluetoothPowerAlert }
        set { shouldShowBluetoothPowerAlert = newValue }
    }

    /// The name of ``shouldUseBestAudioSessionCategory`` in Swift 2.
    public var useBestAudioSessionCategory: Bool {
        get { shouldUseBestAudioSessionCategory }
        set { shouldUseBestAudioSessionCategory = newValue }
    }
}
