import Nearby

/// A replacement for the registry in a page, for pages that have a server.
struct OfflineRegistryDriver {
    init(keyFile: String, random: SeededRandom) throws(WebError) {
        throw .noKey("this module takes none, and nearby-offline.wasm does")
    }

    var nextDeadline: Instant? { nil }
    func standStill(for duration: Duration, now: Instant) {}
    func advance(to now: Instant, wall: Duration) -> Answer { Answer() }

    func take(_ report: Report, now: Instant, wall: Duration) -> (
        events: Answer, answer: Result<Answer, RegistryError>
    ) {
        (Answer(), .failure(.unreachable("there is no registry")))
    }
}
