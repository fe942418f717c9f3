import Foundation
import Nearby

/// A publication or subscription that its app holds. It ends when the app releases it.
class HeldOperation: NSObject, @unchecked Sendable {
    let report: OperationReport
    private let link: EngineLink
    private let operationStore: BackgroundOperationStore
    private let question: HandlerBox<PermissionAnswer>
    private let number: UInt64

    /// - Parameters:
    ///   - isPossible: false if the operation can never become active: then there is nothing to ask the user
    ///     about.
    ///   - saved: kept for the next process if this one is killed.
    ///   - begin: `nil` if there is nothing for the engine to do; the report then says why.
    init(
        _ report: OperationReport, of manager: GNSMessageManager,
        asking requestHandler: GNSPermissionRequestHandler?, isPossible: Bool, saved: GNSSavedOperation?,
        begin: EngineLink.Begin?
    ) {
        (self.report, link, operationStore) = (report, manager.link, manager.operationStore)
        question = HandlerBox(requestHandler.map(HeldOperation.taking), on: manager.executor)
        number = begin.map { manager.link.begin(report, $0) } ?? manager.link.nextNumber()
        super.init()
        guard isPossible else { return }
        if let saved { operationStore.note(saved, number) }
        ask(manager)
    }

    deinit {
        question.close()
        report.close()
        link.end(number)
        operationStore.remove(number)
    }

    /// Adapts a permission request handler so that it takes the object that receives the answer.
    private static func taking(
        _ handler: @escaping GNSPermissionRequestHandler
    ) -> (PermissionAnswer) -> Void {
        { answer in handler { answer.give($0) } }
    }

    /// A new operation asks the user, unless permission is granted.
    private func ask(_ manager: GNSMessageManager) {
        let log = manager.log
        if !question.isEmpty {
            manager.environment.permissions.ask { [question] answer in
                log.say("Permission: Asking the user")
                question.call(answer)
            }
        } else if let ask = manager.environment.askPermission {
            manager.environment.permissions.ask { answer in
                log.say("Permission: Asking the user")
                ask { answer.give($0) }
            }
        }
    }
}
