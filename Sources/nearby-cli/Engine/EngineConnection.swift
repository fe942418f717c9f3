import Nearby
import NearbyWire

/// The operations that one program has begun. They end when it goes.
actor EngineConnection {
    private enum Operation {
        case publication(PublicationHandle, Message)
        case subscription(Task<Void, Never>)
    }

    /// The most operations of one program at a time.
    private static let mostOperations = 100

    private let engine: NearbyEngine
    private let strategy: Strategy
    /// Takes the lines for the program.
    private let say: @Sendable (String) -> Void
    private var operations: [String: Operation] = [:]

    init(_ engine: NearbyEngine, strategy: Strategy, say: @escaping @Sendable (String) -> Void) {
        (self.engine, self.strategy, self.say) = (engine, strategy, say)
    }

    /// Carries out the request of a line, and says why not if it cannot.
    func take(_ line: [UInt8]) async {
        let request: EngineRequest
        do throws(WireError) { request = try EngineRequest(line: line) } catch {
            return say(EngineReply.refused(nil, "\(error)"))
        }
        do throws(EngineRefusal) { try await carryOut(request) } catch {
            say(EngineReply.refused(request.operation, error.reason))
        }
    }

    private func carryOut(_ request: EngineRequest) async throws(EngineRefusal) {
        let name = request.operation
        switch request.action {
        case .publish, .subscribe:
            guard operations[name] == nil else {
                throw EngineRefusal("the operation goes on: end it, or choose another name")
            }
            guard operations.count < EngineConnection.mostOperations else {
                throw EngineRefusal(
                    "at most \(EngineConnection.mostOperations) operations at a time: end one, or connect again"
                )
            }
            do {
                try await begin(request)
            } catch {
                throw EngineRefusal("\(error)")
            }
        case .update:
            guard case .publication(let handle, let before)? = operations[name] else {
                throw EngineRefusal("expected the name of a publication: publish it first")
            }
            do {
                let message = try Message(request.content, type: before.type, namespace: before.namespace)
                try await handle.update(message)
                operations[name] = .publication(handle, message)
            } catch {
                throw EngineRefusal("\(error)")
            }
        case .end:
            guard let operation = operations.removeValue(forKey: name) else {
                throw EngineRefusal("expected the name of an operation that goes on")
            }
            await end(operation)
            say(EngineReply.ended(name))
        }
    }

    private func begin(_ request: EngineRequest) async throws(NearbyError) {
        let (name, say) = (request.operation, say)
        let onStatus = { @Sendable (status: OperationStatus) in say(EngineReply.status(name, status)) }
        if request.action == .publish {
            let message = try Message(request.content, type: request.type, namespace: request.namespace)
            let handle = try await engine.publish(
                Publication(message, strategy: strategy), onStatus: onStatus)
            operations[name] = .publication(handle, message)
            return
        }
        let filter = MessageFilter(types: request.types, namespace: request.namespace)
        let events = try await engine.subscribe(
            Subscription(filter, strategy: strategy), onStatus: onStatus)
        operations[name] = .subscription(
            Task {
                for await event in events {
                    if let line = EngineReply.discovery(name, event) { say(line) }
                }
            })
    }

    private func end(_ operation: Operation) async {
        switch operation {
        case .publication(let handle, _): await handle.end()
        case .subscription(let task):
            task.cancel()
            await task.value
        }
    }

    /// Ends all operations: the program has gone.
    func endAll() async {
        for operation in operations.values { await end(operation) }
        operations.removeAll()
    }
}

/// The reason why a request is not carried out, in one line.
private struct EngineRefusal: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
