import Foundation
import Nearby

/// A publication, or the reason why there is none.
final class HeldPublication: HeldOperation, GNSPublication, @unchecked Sendable {
    init(_ message: GNSMessage?, _ params: GNSPublicationParams, of manager: GNSMessageManager) {
        let log = manager.log
        let report = OperationReport(
            "Publish", HandlerBox(params.statusHandler, on: manager.executor), log: log)
        let strategy = params.strategy ?? GNSStrategy()
        log.say("Publish (\(strategy.summary), background: \(strategy.allowInBackground ? 1 : 0))")
        let publication = HeldPublication.publication(of: message, strategy, report, manager.environment)
        var begin: EngineLink.Begin?
        if let publication {
            begin = { engine in
                let handle = try await engine.publish(
                    publication, askPermission: nil,
                    onStatus: { (status: OperationStatus) in report.follow(status) })
                return handle.operation
            }
        }
        super.init(
            report, of: manager, asking: params.permissionRequestHandler,
            isPossible: publication != nil,
            saved: strategy.allowInBackground
                ? message.map { GNSSavedOperation.publication($0, strategy) } : nil, begin: begin)
    }

    /// Returns the engine's publication. Returns `nil` if the message cannot be published; the report then
    /// says why.
    private static func publication(
        of message: GNSMessage?, _ strategy: GNSStrategy, _ report: OperationReport,
        _ environment: GNSEnvironment
    ) -> Publication? {
        do throws(NearbyError) {
            guard let message, message.content != nil else {
                report.become(.inactive, because: "there is no message")
                return nil
            }
            let publication = Publication(try message.message(), strategy: strategy.strategy)
            try publication.validate()
            return publication
        } catch {
            report.become(.inactive, because: "\(error)")
            if error.isOverLimit { environment.overLimit("\(error)") }
            return nil
        }
    }
}

extension NearbyError {
    fileprivate var isOverLimit: Bool {
        switch self {
        case .contentTooLarge, .typeTooLong, .nameTooLong: true
        default: false
        }
    }
}

extension GNSStrategy {
    /// The strategy's raw values, as the original's log shows them.
    var summary: String {
        "mediums: \(discoveryMediums.rawValue), broadcast/scan: \(discoveryMode.rawValue)"
    }
}
