import Foundation

/// How a ``GNSMessageManager`` behaves.
public final class GNSMessageManagerParams: NSObject {
    /// Whether the user is told when Bluetooth is off, by ``GNSEnvironment/showBluetoothPowerAlert``.
    public var shouldShowBluetoothPowerAlert = true
    /// Whether sound is set up for tokens, not for music: passed to ``GNSEnvironment/makeMedia``.
    public var shouldUseBestAudioSessionCategory = true

    /// Called when the microphone may not be used (true) and when it may again (false).
    public var microphonePermissionErrorHandler: GNSErrorStateHandler!
    /// Called when Bluetooth is switched off (true) and when it is on again (false).
    public var bluetoothPowerErrorHandler: GNSErrorStateHandler!
    /// Called when Bluetooth may not be used (true) and when it may again (false).
    public var bluetoothPermissionErrorHandler: GNSErrorStateHandler!

    /// Where all handlers of this manager are called; nil: ``GNSEnvironment/executor``. Not in the original.
    public var executor: GNSExecutor?

    public override init() {}

    /// Its name in Swift 2.
    public var showBluetoothPowerAlert: Bool {
        get { shouldShowBluetoothPowerAlert }
        set { shouldShowBluetoothPowerAlert = newValue }
    }

    /// Its name in Swift 2.
    public var useBestAudioSessionCategory: Bool {
        get { shouldUseBestAudioSessionCategory }
        set { shouldUseBestAudioSessionCategory = newValue }
    }
}
