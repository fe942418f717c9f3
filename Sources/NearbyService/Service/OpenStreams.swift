import Nearby
import NearbyWire

/// The open streams of a project, at most one for each device. A pulse calls the streams of one phase. They
/// are in a table of their own, because a look at every stream costs more than the calls.
struct OpenStreams {
    struct Stream {
        var number: Int
        var reader: any EventReader
        /// The time since which events wait to go down the stream; `nil` if none do.
        var unsentSince: Instant?
    }

    /// The streams of each phase. Hashes of secrets are random, so that streams which were opened together
    /// are called apart.
    private var tables = [[SecretHash: Stream]](repeating: [:], count: NearbyService.pulsePhases)
    /// The number of the stream that was opened last.
    private(set) var lastNumber = 0

    var count: Int { tables.reduce(0) { $0 + $1.count } }
    /// All streams, with their devices.
    var all: [(SecretHash, Stream)] { tables.flatMap { $0.map { ($0.key, $0.value) } } }

    /// The time since which the oldest events wait to go down a stream; `nil` if none do.
    var unsentSince: Instant? { tables.lazy.flatMap { $0.values }.compactMap(\.unsentSince).min() }

    /// The stream of a device; `nil` if there is none.
    subscript(secret: SecretHash) -> Stream? { tables[OpenStreams.phase(of: secret)][secret] }

    /// Returns the streams of one phase, with their devices.
    func streams(ofPhase phase: Int) -> [SecretHash: Stream] { tables[phase] }

    /// Opens a stream for a device. Returns the reader of its former stream; `nil` if there was none.
    mutating func open(_ secret: SecretHash, _ reader: any EventReader) -> (any EventReader)? {
        lastNumber += 1
        let former = self[secret]
        let stream = Stream(number: lastNumber, reader: reader, unsentSince: former?.unsentSince)
        tables[OpenStreams.phase(of: secret)][secret] = stream
        return former?.reader
    }

    /// Notes that there are events for a device, unless older ones wait already.
    mutating func noteEvents(for secret: SecretHash, at now: Instant) {
        change(secret) { $0.unsentSince = $0.unsentSince ?? now }
    }

    /// Notes that a device has all its events.
    mutating func noteAllSent(to secret: SecretHash) { change(secret) { $0.unsentSince = nil } }

    /// Changes a stream in its place, if there is one.
    private mutating func change(_ secret: SecretHash, _ body: (inout Stream) -> Void) {
        let phase = OpenStreams.phase(of: secret)
        guard let place = tables[phase].index(forKey: secret) else { return }
        body(&tables[phase].values[place])
    }

    /// Closes the stream of a device, and returns its reader; `nil` if there was none.
    mutating func close(_ secret: SecretHash) -> (any EventReader)? {
        tables[OpenStreams.phase(of: secret)].removeValue(forKey: secret)?.reader
    }

    /// Closes all streams, and returns their readers.
    mutating func closeAll() -> [any EventReader] {
        defer { for phase in tables.indices { tables[phase] = [:] } }
        return all.map { $0.1.reader }
    }

    private static func phase(of secret: SecretHash) -> Int {
        Int(secret.word % UInt64(NearbyService.pulsePhases))
    }
}
