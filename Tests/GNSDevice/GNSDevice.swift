import Dispatch
import Foundation
import GNSMessages

/// A process that uses GNSMessages as an app does, with the environment's defaults, for tests of the state
/// that outlives a process.
@main struct GNSDevice {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        switch arguments.first {
        case "permission": print(GNSPermission.isGranted())
        case "grant": GNSPermission.setGranted(true)
        case "deny": GNSPermission.setGranted(false)
        case "debug":
            print(GNSMessageManager.isDebugLoggingEnabled())
            GNSMessageManager.setDebugLoggingEnabled(true)
            print(GNSMessageManager.isDebugLoggingEnabled())
        case "hold": hold(GNSMessageManager(apiKey: arguments.last!))
        case "saved":
            for saved in GNSMessageManager(apiKey: arguments.last!).savedOperations {
                print(saved.kind, saved.messageNamespace, saved.type, saved.content?.count ?? 0)
            }
        case "overlimit":
            let message = GNSMessage(content: Data(count: kGNSMessageMaximumContentSize + 1))
            let publication = GNSMessageManager(apiKey: "").publication(with: message)
            print(publication!.inactiveReason ?? "")
        default: exit(64)
        }
    }

    /// Holds operations in the background until the process is killed.
    private static func hold(_ manager: GNSMessageManager) {
        var ended = hold("ended", manager)
        let strategy = GNSStrategy(paramsBlock: { params in
            params?.discoveryMediums = .BLE
            params?.allowInBackground = true
        })
        let publication = hold("kept", manager)
        let subscription = manager.subscription(
            messageFoundHandler: nil, messageLostHandler: nil,
            paramsBlock: { params in
                params?.type = "names"
                params?.strategy = strategy
            })
        // This operation is only for the foreground, and is not kept.
        let other = manager.publication(with: GNSMessage(content: Data()))
        withExtendedLifetime(ended) {}
        ended = nil
        print("ready")
        fflush(nil)
        withExtendedLifetime((manager, publication, subscription, other)) { dispatchMain() }
    }

    private static func hold(_ type: String, _ manager: GNSMessageManager) -> (any GNSPublication)? {
        manager.publication(
            with: GNSMessage(content: Data("Anna".utf8), type: type),
            paramsBlock: { params in
                params?.strategy = GNSStrategy(paramsBlock: { params in
                    params?.discoveryMediums = .BLE
                    params?.allowInBackground = true
                })
            })
    }
}
