import Foundation
import Nearby
import NearbyWire

@testable import NearbyWeb

/// Events and actions in the form of the page's script. They are written from the Swift values and not from
/// their records, and a replay in the browser's module compares the two.
typealias JSONMembers = [String: Any]

extension WebEvent {
    var json: JSONMembers {
        switch kind {
        case .execute(let operations): ["kind": "execute", "operations": operations.map(\.json)]
        case .permission(let permission): ["kind": "permission", "permission": permission.rawValue]
        case .background(let isInBackground): ["kind": "background", "isInBackground": isInBackground]
        case .happened(.condition(let condition), _): ["kind": "condition", "condition": condition.json]
        case .happened(.sighted(let one), _):
            [
                "kind": "sighted", "frame": hex(one.payload.frame), "age": micros(one.age),
                "signal": one.signal.json,
            ]
        case .happened: ["kind": "sent"]
        case .answered(let answer, let verdicts, let patience, let mailbox, let news):
            [
                "kind": "answered",
                "answer": told(mailbox, news, answer.deliveries).merging(answer.json(verdicts, patience)) {
                    $1
                },
            ]
        case .notified(let one, let keepAlive, let grants):
            [
                "kind": "told",
                "told": told(one.mailbox, one.last, one.deliveries).merging(
                    some(["keepAlive": keepAlive.map(micros), "grants": grants.map(\.json)])
                ) { $1 },
            ]
        case .failed(let error): ["kind": "failed", "error": error.json]
        case .advance: ["kind": "advance"]
        case .end: ["kind": "end"]
        }
    }
}

extension EngineAction {
    func json(_ envelope: WebEngine.Envelope) -> JSONMembers {
        switch self {
        case .assign(let assignment, let medium):
            ["kind": "assign", "medium": medium.rawValue, "assignment": assignment.json]
        case .report(let report): ["kind": "report", "report": report.json(envelope)]
        case .deliver(.heardBytes(let bytes), let id):
            ["kind": "heardBytes", "id": id.number, "bytes": hex(bytes.bytes)]
        case .deliver(.expired, let id): ["kind": "expired", "id": id.number]
        case .deliver(.found(let one), let id): deliver("found", one, id)
        case .deliver(.updated(let one), let id): deliver("updated", one, id)
        case .deliver(.lost(let one), let id): deliver("lost", one, id)
        case .operation(let status, let id): ["kind": "operation", "id": id.number, "status": status.json]
        case .status(let status): ["kind": "status", "status": status.json]
        case .askPermission(let id): ["kind": "askPermission", "id": id.number]
        case .askBeacons: ["kind": "askBeacons"]
        }
    }

    private func deliver(_ event: String, _ one: Discovery, _ id: OperationID) -> JSONMembers {
        [
            "kind": "deliver", "id": id.number, "event": event, "publication": name(one.id.bits),
            "message": one.message.json,
        ]
    }
}

// MARK: Values

private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
private func name(_ bits: UInt64) -> String { String(format: "%016llx", bits) }
private func micros(_ duration: Duration) -> Int64 { duration.wholeMicroseconds }

/// Leaves out all members that are `nil`.
private func some(_ members: [String: Any?]) -> JSONMembers { members.compactMapValues { $0 } }

private func told(_ mailbox: String?, _ news: Int64?, _ deliveries: [Answer.Delivery]) -> JSONMembers {
    some([
        "mailbox": mailbox, "news": news,
        "deliveries": deliveries.map {
            [
                "change": $0.change.rawValue, "subscription": $0.subscription.number,
                "publication": name($0.discovery.id.bits), "message": $0.discovery.message.json,
            ] as JSONMembers
        },
    ])
}

extension Message {
    fileprivate var json: JSONMembers { ["namespace": namespace, "type": type, "content": hex(content)] }
}

extension Strategy {
    fileprivate var json: JSONMembers {
        some([
            "media": media.sorted().map(\.rawValue),
            "mode": Role.allCases.filter { mode.contains($0.mode) }.map(\.rawValue),
            "allowInBackground": allowInBackground, "timeToLive": timeToLive.map(micros),
            "earshot": reach == .earshot, "isMutual": isMutual,
        ])
    }
}

extension MessageFilter {
    fileprivate var json: [JSONMembers] {
        rules.compactMap { rule -> JSONMembers? in
            switch rule {
            case .namespace(let name): ["namespace": name]
            case .type(let type, let name): ["type": type, "namespace": name]
            case .audioBytes: nil
            }
        }
    }
}

extension Nearby.Operation {
    fileprivate var json: JSONMembers {
        switch self {
        case .publish(let id, let one):
            switch one.content {
            case .message(let message):
                ["kind": "publish", "id": id.number, "message": message.json, "strategy": one.strategy.json]
            case .audioBytes(let bytes):
                [
                    "kind": "publish", "id": id.number, "audioBytes": hex(bytes.bytes),
                    "strategy": one.strategy.json,
                ]
            }
        case .republish(let id, let message): ["kind": "republish", "id": id.number, "message": message.json]
        case .unpublish(let id): ["kind": "unpublish", "id": id.number]
        case .subscribe(let id, let one):
            [
                "kind": "subscribe", "id": id.number, "strategy": one.strategy.json,
                "rules": one.filter.json
                    + (one.filter.rules.contains(.audioBytes) ? [["audioBytes": true]] : []),
            ]
        case .unsubscribe(let id): ["kind": "unsubscribe", "id": id.number]
        }
    }
}

extension MediumCondition {
    fileprivate var json: JSONMembers {
        some([
            "broadcast": broadcast?.rawValue, "broadcastReason": reasons[.broadcast], "scan": scan?.rawValue,
            "scanReason": reasons[.scan], "near": profiles.contains(.near),
        ])
    }
}

extension Sighting.Signal {
    fileprivate var json: JSONMembers {
        some(["snrDecibels": snrDecibels.map { Double($0) }, "rssiDBm": rssiDBm])
    }
}

extension Answer {
    fileprivate func json(_ verdicts: [TokenVerdict], _ patience: [Duration]) -> JSONMembers {
        some([
            "grants": grants.map(\.json),
            "verdicts": verdicts.map(\.rawValue), "patience": patience.map(micros),
            "keepAlive": keepAlive.map(micros),
            "refused": refused.sorted { $0.key < $1.key }.map {
                ["id": $0.key.number, "error": $0.value] as JSONMembers
            },
        ])
    }
}

extension Answer.Grant {
    fileprivate var json: JSONMembers {
        some([
            "token": name(token.bits), "medium": medium.rawValue, "startsIn": micros(startsIn),
            "timeToLive": micros(timeToLive),
        ])
    }
}

extension RegistryError {
    fileprivate var json: JSONMembers {
        switch self {
        case .unreachable(let why): ["kind": "unreachable", "why": why]
        case .unknownDevice: ["kind": "unknownDevice", "why": ""]
        case .rateLimited(let time): ["kind": "rateLimited", "why": "", "retryAfter": micros(time)]
        case .refused(let why): ["kind": "refused", "why": why]
        case .notReady(let why): ["kind": "notReady", "why": why]
        }
    }
}

extension MediumAssignment {
    fileprivate var json: JSONMembers {
        some(["isScanning": isScanning, "isInBackground": isInBackground, "broadcast": broadcast?.json])
    }
}

extension MediumAssignment.Broadcast {
    fileprivate var json: JSONMembers {
        var listening: JSONMembers?
        if case .bursts(let range) = cadence {
            listening = ["least": micros(range.lowerBound), "most": micros(range.upperBound)]
        }
        let payloads = payloads.map { payload -> JSONMembers in
            switch payload {
            case .token: ["kind": "token", "frame": hex(payload.frame)]
            case .audioBytes: ["kind": "audioBytes", "frame": hex(payload.frame)]
            case .sealed: ["kind": "sealed", "frame": hex(payload.frame)]
            }
        }
        return some(["payloads": payloads, "near": profile == .near, "listening": listening])
    }
}

extension Report {
    fileprivate func json(_ envelope: WebEngine.Envelope) -> JSONMembers {
        some([
            "published": published.sorted { $0.key < $1.key }.map {
                ["id": $0.key.number, "message": $0.value.message!.json, "strategy": $0.value.strategy.json]
                    as JSONMembers
            },
            "subscribed": subscribed.sorted { $0.key < $1.key }.map {
                ["id": $0.key.number, "rules": $0.value.filter.json, "strategy": $0.value.strategy.json]
                    as JSONMembers
            },
            "ended": ended.sorted().map(\.number),
            "observations": observations.map {
                (["token": name($0.token.bits), "medium": $0.medium.rawValue, "age": micros($0.age)]
                    as JSONMembers)
                    .merging($0.signal.json) { $1 }
            },
            "playing": playing.map {
                ["token": name($0.token.bits), "medium": $0.medium.rawValue, "period": micros($0.period)]
                    as JSONMembers
            },
            "wantsTokens": wantsTokens.sorted().map(\.rawValue), "isComplete": isComplete,
            "isFarewell": unregisters, "observationsAreComplete": observationsAreComplete,
            "takesTokensAhead": takesTokensAhead,
            "mailbox": envelope.mailbox, "takenNews": envelope.takenNews,
            "number": envelope.number,
        ])
    }
}

extension OperationStatus {
    fileprivate var json: JSONMembers {
        switch self {
        case .inactive(let refusals):
            [
                "state": "inactive",
                "refusals": refusals.sorted { $0.key < $1.key }.map {
                    ["medium": $0.key.rawValue, "refusal": $0.value.json] as JSONMembers
                },
            ]
        case .starting: ["state": "starting"]
        case .active: ["state": "active"]
        case .expired: ["state": "expired"]
        }
    }
}

extension StrategySelection.Refusal {
    fileprivate var json: JSONMembers {
        switch self {
        case .permission(let permission): ["kind": "permission", "permission": permission.rawValue]
        case .background: ["kind": "background"]
        case .obstacle(let obstacle): ["kind": "obstacle", "obstacle": obstacle.rawValue]
        case .notAsked: ["kind": "notAsked"]
        }
    }
}

extension EngineStatus {
    fileprivate var json: JSONMembers {
        some([
            "permission": permission.rawValue, "isInBackground": isInBackground,
            "media": media.sorted { $0.key < $1.key }.map {
                [
                    "medium": $0.key.rawValue, "condition": $0.value.condition.json,
                    "isBroadcasting": $0.value.isBroadcasting, "isScanning": $0.value.isScanning,
                    "isUnheard": $0.value.isUnheard, "neighbours": $0.value.neighbours,
                ] as JSONMembers
            },
            "registryError": registryError.map {
                ["kind": $0.json["kind"]!, "line": $0.description] as JSONMembers
            },
        ])
    }
}
