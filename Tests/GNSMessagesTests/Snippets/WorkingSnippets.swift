// swift-format-ignore-file
// Written by Tools/seed-snippets from Google's documents "Publish and Subscribe" and "Receive beacon
// messages" of Nearby Messages for iOS. Do not edit.

import Foundation
import GNSMessages

/// The documents' snippets, with `reach` called where a comment stands for an app's own code.
enum WorkingSnippets {
    /// "Publish and Subscribe", Swift snippet 1.
    static func createMessageManager(reach: @escaping (String, Any?) -> Void) -> GNSMessageManager {
let messageManager = GNSMessageManager(APIKey: "API_KEY")
return messageManager
    }

    /// "Publish and Subscribe", Swift snippet 2.
    static func publish(messageManager: GNSMessageManager, name: String, reach: @escaping (String, Any?) -> Void) -> (any GNSPublication)? {
let publication =
    messageManager.publication(with: GNSMessage(content: name.data(using: .utf8)))
return publication
    }

    /// "Publish and Subscribe", Swift snippet 3.
    static func subscribe(messageManager: GNSMessageManager, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let subscription =
    messageManager.subscription(messageFoundHandler: { (message: GNSMessage?) in
      // Add the name to a list for display
      reach("Add the name to a list for display", message)
    },
    messageLostHandler: { (message: GNSMessage?) in
      // Remove the name from the list
      reach("Remove the name from the list", message)
    })
return subscription
    }

    /// "Publish and Subscribe", Swift snippet 4.
    static func publishToSetTopBox(messageManager: GNSMessageManager, message: GNSMessage, reach: @escaping (String, Any?) -> Void) -> (any GNSPublication)? {
let publication = messageManager.publication(with: message,
    paramsBlock: { (params: GNSPublicationParams?) in
      guard let params = params else { return }
      params.strategy = GNSStrategy(paramsBlock: { (params: GNSStrategyParams?) in
        guard let params = params else { return }
        params.discoveryMediums = .audio
        params.discoveryMode = .scan
      })
    })
return publication
    }

    /// "Publish and Subscribe", Swift snippet 5.
    static func enableDebugLogging(reach: @escaping (String, Any?) -> Void) {
GNSMessageManager.setDebugLoggingEnabled(true)
    }

    /// "Publish and Subscribe", Swift snippet 6.
    static func trackPermission(reach: @escaping (String, Any?) -> Void) -> GNSPermission {
let nearbyPermission = GNSPermission(changedHandler: { (granted: Bool) in
  // Update the UI here
  reach("Update the UI here", granted)
})
return nearbyPermission
    }

    /// "Publish and Subscribe", Swift snippet 7.
    static func togglePermission(reach: @escaping (String, Any?) -> Void) -> Bool {
let permissionState = GNSPermission.isGranted()
GNSPermission.setGranted(!permissionState)  // toggle the state
return permissionState
    }

    /// "Publish and Subscribe", Swift snippet 8.
    static func trackUserSettings(API_KEY: String, reach: @escaping (String, Any?) -> Void) -> GNSMessageManager {
let messageManager = GNSMessageManager(
         APIKey: API_KEY,
    paramsBlock: { (params: GNSMessageManagerParams?) in
      guard let params = params else { return }
      params.microphonePermissionErrorHandler = { (hasError: Bool) in
        // Update the UI for microphone permission
        reach("Update the UI for microphone permission", hasError)
      }
      params.bluetoothPowerErrorHandler = { (hasError: Bool) in
        // Update the UI for Bluetooth power
        reach("Update the UI for Bluetooth power", hasError)
      }
      params.bluetoothPermissionErrorHandler = { (hasError: Bool) in
        // Update the UI for Bluetooth permission
        reach("Update the UI for Bluetooth permission", hasError)
      }
    })
return messageManager
    }

    /// "Publish and Subscribe", Swift snippet 9.
    static func publishWithOwnDialog(messageManager: GNSMessageManager, name: String, reach: @escaping (String, Any?) -> Void) -> (any GNSPublication)? {
let publication =
    messageManager.publication(with: GNSMessage(content: name.data(using: .utf8)),
        paramsBlock: { (params: GNSPublicationParams?) in
          guard let params = params else { return }
          params.permissionRequestHandler = { (permissionHandler: GNSPermissionHandler?) in
            // Show your custom dialog here.
            reach("Show your custom dialog here.", permissionHandler)
            // Don't forget to call permissionHandler() with true or false when the user dismisses it.
            reach("Don't forget to call permissionHandler() with true or false when the user dismisses it.", permissionHandler)
          }
        })
return publication
    }

    /// "Publish and Subscribe", Swift snippet 10.
    static func subscribeInBackground(messageManager: GNSMessageManager, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let subscription =
    messageManager.subscription(messageFoundHandler: { (message: GNSMessage?) in
      // Add the name to a list for display
      reach("Add the name to a list for display", message)
    },
    messageLostHandler: { (message: GNSMessage?) in
      // Remove the name from the list
      reach("Remove the name from the list", message)
    },
    paramsBlock:{ (params: GNSSubscriptionParams?) in
      guard let params = params else { return }
      params.strategy = GNSStrategy(paramsBlock: { (params: GNSStrategyParams?) in
        guard let params = params else { return }
        params.allowInBackground = true
        params.discoveryMediums = .BLE
      })
    })
return subscription
    }

    /// "Receive beacon messages", Swift snippet 1.
    static func subscribeToBeacons(messageManager: GNSMessageManager, myMessageFoundHandler: @escaping GNSMessageHandler, myMessageLostHandler: @escaping GNSMessageHandler, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let beaconSubscription = messageManager.subscriptionWithMessageFoundHandler(
    myMessageFoundHandler, messageLostHandler: myMessageLostHandler,
    paramsBlock: { (params: GNSSubscriptionParams!) in
      params.deviceTypesToDiscover = .BLEBeacon
    })
return beaconSubscription
    }

    /// "Receive beacon messages", Swift snippet 2.
    static func subscribeToBeaconsOfNamespace(messageManager: GNSMessageManager, myMessageFoundHandler: @escaping GNSMessageHandler, myMessageLostHandler: @escaping GNSMessageHandler, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let beaconSubscription = messageManager.subscriptionWithMessageFoundHandler(
    myMessageFoundHandler, messageLostHandler: myMessageLostHandler,
    paramsBlock: { (params: GNSSubscriptionParams!) in
      params.deviceTypesToDiscover = .BLEBeacon
      params.messageNamespace = "com.mycompany.mybeaconservice"
      params.type = "mybeacontype"
    })
return beaconSubscription
    }

    /// "Receive beacon messages", Swift snippet 3.
    static func subscribeWithoutIBeacons(messageManager: GNSMessageManager, myMessageFoundHandler: @escaping GNSMessageHandler, myMessageLostHandler: @escaping GNSMessageHandler, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let beaconSubscription = messageManager.subscriptionWithMessageFoundHandler(
    myMessageFoundHandler, messageLostHandler: myMessageLostHandler,
    paramsBlock: { (params: GNSSubscriptionParams!) in
      params.deviceTypesToDiscover = .BLEBeacon
      params.beaconStrategy =
          GNSBeaconStrategy(paramsBlock: { (params: GNSBeaconStrategyParams!) in
            params.includeIBeacons = false
          })
    })
return beaconSubscription
    }

    /// "Receive beacon messages", Swift snippet 4.
    static func subscribeWithHighPower(messageManager: GNSMessageManager, myMessageFoundHandler: @escaping GNSMessageHandler, myMessageLostHandler: @escaping GNSMessageHandler, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let beaconSubscription = messageManager.subscriptionWithMessageFoundHandler(
    myMessageFoundHandler, messageLostHandler: myMessageLostHandler,
    paramsBlock: { (params: GNSSubscriptionParams!) in
      params.deviceTypesToDiscover = .BLEBeacon
      params.beaconStrategy =
          GNSBeaconStrategy(paramsBlock: { (params: GNSBeaconStrategyParams!) in
            params.includeIBeacons = false
            params.lowPowerPreferred = false
          })
    })
return beaconSubscription
    }

    /// "Receive beacon messages", Swift snippet 5.
    static func subscribeToBeaconsWithOwnDialog(messageManager: GNSMessageManager, myMessageFoundHandler: @escaping GNSMessageHandler, myMessageLostHandler: @escaping GNSMessageHandler, userGavePermission: Bool, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let beaconSubscription = messageManager.subscriptionWithMessageFoundHandler(
    myMessageFoundHandler, messageLostHandler: myMessageLostHandler,
    paramsBlock: { (params: GNSSubscriptionParams!) in
      params.deviceTypesToDiscover = .BLEBeacon
      params.permissionRequestHandler = { (permissionHandler: GNSPermissionHandler!) in
        // Show your custom dialog here, and don't forget to call permissionHandler after it is dismissed
        reach("Show your custom dialog here, and don't forget to call permissionHandler after it is dismissed", permissionHandler)
        permissionHandler(userGavePermission);
      }
    })
return beaconSubscription
    }

    /// "Receive beacon messages", Swift snippet 6.
    static func subscribeToBeaconsInBackground(messageManager: GNSMessageManager, myMessageFoundHandler: @escaping GNSMessageHandler, myMessageLostHandler: @escaping GNSMessageHandler, reach: @escaping (String, Any?) -> Void) -> (any GNSSubscription)? {
let beaconSubscription = messageManager.subscriptionWithMessageFoundHandler(
    myMessageFoundHandler, messageLostHandler: myMessageLostHandler,
    paramsBlock: { (params: GNSSubscriptionParams!) in
      params.deviceTypesToDiscover = .BLEBeacon
      params.beaconStrategy =
          GNSBeaconStrategy(paramsBlock: { (params: GNSBeaconStrategyParams!) in
            params.allowInBackground = true
          })
    })
return beaconSubscription
    }
}
