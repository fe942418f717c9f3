import FoundationEssentials
import Nearby
import NearbyWire

/// The export and import of all of a project, one line each: first namespaces, then beacons, both ordered by
/// name.
extension BeaconAdministration {
    /// - Parameter withKeys: true if the export includes keys. Whoever has such an export can locate beacons
    ///   of changing names, and can imitate them.
    package func export(withKeys: Bool, _ write: (String) throws -> Void) async throws {
        for namespace in try await namespaces() {
            try write(String(decoding: WireCoding.encode(NamespaceDocument(namespace)), as: UTF8.self))
        }
        try await forEachBeacon { try write(BeaconDocument($0, withKey: withKeys).line) }
    }

    /// Creates the objects that do not exist, and changes those that do; it does all or nothing. Empty lines
    /// have no effect, but count in line numbers.
    ///
    /// Returns: the numbers of namespaces and beacons in the lines.
    ///
    /// Throws: ``BeaconProblem``, with the number of the line; ``StoreError``.
    package func importLines(
        _ lines: some Sequence<some StringProtocol>
    ) async throws -> (namespaces: Int, beacons: Int) {
        let parsed = try Parsed(lines, of: project)
        let known = try await known(parsed.beacons.map(\.name))
        var beacons: [RegisteredBeacon] = []
        for one in parsed.beacons {
            try at(one.line) { beacons.append(try merged(one, known[one.name])) }
        }
        let namespaces = parsed.namespaces.map(\.value)
        // Each beacon is checked on its own only if something is wrong, to state the line.
        do { try await check(beacons, alongWith: namespaces) } catch is BeaconProblem {
            for (one, beacon) in zip(parsed.beacons, beacons) {
                do { try await check([beacon], alongWith: namespaces) } catch let problem as BeaconProblem {
                    throw BeaconProblem("line \(one.line): \(problem)")
                }
            }
        }
        try await checkOwners(parsed.namespaces)
        try await store.write(namespaces, beacons, of: project, limits: limits)
        return (namespaces.count, beacons.count)
    }

    private struct Parsed {
        struct Beacon {
            var line: Int
            var name: BeaconName
            var document: BeaconDocument
        }

        var namespaces: [(line: Int, value: BeaconNamespace)] = []
        var beacons: [Beacon] = []
        private var seen: [String: Int] = [:]

        init(_ lines: some Sequence<some StringProtocol>, of project: ProjectID) throws {
            for (index, text) in lines.enumerated() where !text.allSatisfy(\.isWhitespace) {
                try at(index + 1) { try add(String(text), index + 1, project) }
            }
        }

        private mutating func add(_ text: String, _ line: Int, _ project: ProjectID) throws {
            let kind = try WireCoding.decode(Kind.self, from: Data(text.utf8))
            if kind.namespace != nil {
                let namespace = try WireCoding.decode(NamespaceDocument.self, from: Data(text.utf8))
                namespaces.append((line, try namespace.value(of: project)))
                try note("namespace \(namespace.namespace)", line)
            } else if let beacon = kind.beacon {
                guard let name = BeaconName(beacon) else {
                    throw WireError("beacon", "beacons/N!hex, N 1, 3 or 5, not '\(beacon.prefix(60))'")
                }
                let document = try WireCoding.decode(BeaconDocument.self, from: Data(text.utf8))
                beacons.append(Beacon(line: line, name: name, document: document))
                try note(name.description, line)
            } else {
                throw WireError("", "a 'beacon' or a 'namespace', and neither is there")
            }
        }

        private mutating func note(_ name: String, _ line: Int) throws {
            if let first = seen.updateValue(line, forKey: name) {
                throw BeaconProblem("\(name) is in line \(first) already")
            }
        }

        private struct Kind: Decodable {
            var namespace: String?
            var beacon: String?
        }
    }

    private func known(_ names: [BeaconName]) async throws -> [BeaconName: RegisteredBeacon] {
        var known: [BeaconName: RegisteredBeacon] = [:]
        for first in stride(from: 0, to: names.count, by: 1000) {
            for beacon in try await store.beacons(named: Array(names[first...].prefix(1000))) {
                known[beacon.name] = beacon
            }
        }
        return known
    }

    private func merged(_ one: Parsed.Beacon, _ known: RegisteredBeacon?) throws -> RegisteredBeacon {
        if let known, known.project != project { throw StoreError.exists("beacon \(one.name.text)") }
        var beacon = try one.document.value(of: project, known: known)
        if let known {
            var before = known
            try before.become(beacon.status)
            beacon.revision = known.revision
        }
        return beacon
    }

    private func checkOwners(_ namespaces: [(line: Int, value: BeaconNamespace)]) async throws {
        let found = try await store.namespaces(named: namespaces.map(\.value.name))
        let taken = Set(found.filter { $0.project != project }.map(\.name))
        for (line, namespace) in namespaces where taken.contains(namespace.name) {
            throw BeaconProblem("line \(line): \(StoreError.exists("namespace \(namespace.name)"))")
        }
    }
}

/// Adds the number of the line to an error.
private func at(_ line: Int, _ body: () throws -> Void) throws {
    do { try body() } catch { throw BeaconProblem("line \(line): \(error)") }
}
