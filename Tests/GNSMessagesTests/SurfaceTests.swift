import Foundation
import GNSMessages
import TestSupport
import Testing

/// Tests every member of the original's public headers, under its Swift 3 name and, if it differs, its Swift
/// 2 name, each with its documented default. `Fixtures/gns/members.txt` lists them from nearby's notes on the
/// headers.
@Suite struct SurfaceTests {
    @Test func everyMemberHasItsDocumentedDefault() throws {
        let text = try #require(
            FileManager.default.contents(atPath: Repository.path("Fixtures/gns/members.txt")))
        let documented = String(decoding: text, as: UTF8.self).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.map(String.init)
        #expect(documented.count > 100)
        #expect(Set(documented).count == documented.count, "each once")
        let present = World().device().run { Surface.members.map { "\($0.name) = \($0.value)" } }
        #expect(Set(documented).subtracting(present).sorted() == [], "documented, and not here")
        #expect(Set(present).subtracting(documented).sorted() == [], "here, and not documented")
    }

    /// Options differ from one another, and combine.
    @Test func optionsCombine() {
        #expect(GNSDiscoveryMode.default == [.broadcast, .scan])
        #expect(GNSDiscoveryMediums.default == [.audio, .BLE])
        #expect(GNSDeviceTypes.usingNearby.intersection(.bleBeacon).isEmpty)
    }

    @Test func parametersAreCopied() throws {
        let params = GNSSubscriptionParams()
        (params.type, params.messageNamespace, params.deviceTypesToDiscover) = ("t", "n", .bleBeacon)
        params.statusHandler = { _ in }
        params.strategy = GNSStrategy(paramsBlock: { $0?.discoveryMode = .scan })
        let copy = try #require(params.copy() as? GNSSubscriptionParams)
        params.type = "other"
        #expect(copy.type == "t" && copy.messageNamespace == "n" && copy.deviceTypesToDiscover == .bleBeacon)
        #expect(copy.strategy.discoveryMode == .scan && copy.statusHandler != nil)
        let publication = GNSPublicationParams()
        publication.permissionRequestHandler = { _ in }
        let other = try #require(publication.copy() as? GNSPublicationParams)
        publication.permissionRequestHandler = nil
        #expect(other.permissionRequestHandler != nil && other !== publication)
    }
}
