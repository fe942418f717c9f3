import ArgumentParser
import CommandOutput
import FoundationEssentials
import Nearby
import NearbyService

extension Beacons {
    struct Activate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a beacon be found.")

        @OptionGroup var one: One
        @OptionGroup var place: Place

        func run() async throws {
            try await place.administration().change(one.name) { try $0.become(.active) }
        }
    }

    struct Deactivate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let a beacon not be found for now.")

        @OptionGroup var one: One
        @OptionGroup var place: Place

        func run() async throws {
            try await place.administration().change(one.name) { try $0.become(.inactive) }
        }
    }

    struct Decommission: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a beacon up for ever.",
            discussion: "It is never found again, and its name is never given again. There is no way back.")

        @OptionGroup var one: One
        @OptionGroup var place: Place

        func run() async throws {
            try await place.administration().change(one.name) { try $0.become(.decommissioned) }
        }
    }

    struct Attach: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a beacon stand for something: text, or bytes of a file.")

        @OptionGroup var one: One

        @Argument(
            help: ArgumentHelp("namespace/type", valueName: "type"), transform: AttachmentType.parsed)
        var type: AttachmentType

        @Argument(help: ArgumentHelp("The text.", valueName: "text"))
        var text: String?

        @Option(help: ArgumentHelp("Bytes in place of a text; '-' is standard input.", valueName: "file"))
        var file: String?

        @Option(help: ArgumentHelp("Only for those who are nearer; 0: for all.", valueName: "meters"))
        var maxDistance = 0.0

        @OptionGroup var place: Place

        func validate() throws {
            guard (text == nil) != (file == nil) else { throw ValidationError("either a text or --file") }
            guard maxDistance >= 0, maxDistance.isFinite else {
                throw ValidationError("--max-distance is 0 or more")
            }
        }

        func run() async throws {
            let limit = BeaconAttachment.maximumByteCount
            let content = try file.map { try InputFile.read($0, limit: limit + 1) } ?? Data((text ?? "").utf8)
            guard let attachment = BeaconAttachment(type, content, maximumDistanceMeters: maxDistance) else {
                throw CommandFailure(
                    .badData, "an attachment has at most \(limit) bytes: attach a link to more")
            }
            try await place.administration().change(one.name) { try $0.attach(attachment) }
        }
    }

    struct Detach: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take away what a beacon stands for: all of a type.")

        @OptionGroup var one: One

        @Argument(
            help: ArgumentHelp("namespace/type, or namespace/* for all types in it.", valueName: "type"))
        var type: String

        @OptionGroup var place: Place

        func validate() throws {
            switch AttachmentFilter(type) {
            case .type, .namespace: break
            case .own, nil: throw ValidationError("'\(type)': namespace/type, or namespace/*")
            }
        }

        func run() async throws {
            let filter = AttachmentFilter(type)
            try await place.administration().change(one.name) { [name = one.name] beacon in
                let count = beacon.detach { filter == .type($0) || filter == .namespace($0.namespace) }
                if count == 0 {
                    throw BeaconProblem.missing(
                        "\(name.text) has no attachment \(type): 'nearby beacons show \(name.text)' lists what it has"
                    )
                }
            }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print all namespaces and beacons, one JSON object a line.",
            discussion: "'nearby beacons import' takes them, here or in another store.")

        @Flag(help: "With the keys of beacons of changing names: whoever reads them can be these beacons.")
        var withKeys = false

        @OptionGroup var place: Place

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "A new file, for its owner alone. (default: standard output)", valueName: "file"))
        var output: String?

        func run() async throws {
            if withKeys, output == nil, let warning = NewKey.openOutput { StandardError.write(warning) }
            guard let output else {
                return try await place.administration().export(withKeys: withKeys) {
                    try StandardOutput.write($0)
                }
            }
            try NewKey.check(output)
            var lines: [String] = []
            try await place.administration().export(withKeys: withKeys) { lines.append($0) }
            try SecretFile.create(output, lines.map { $0 + "\n" }.joined())
        }
    }

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make and change what an export says; all of it or nothing.",
            discussion: "What it does not name stays as it is.")

        @Argument(help: ArgumentHelp("The export; '-' is standard input.", valueName: "file"))
        var file: String

        @OptionGroup var place: Place

        /// The maximum length in bytes, enough for 100 000 beacons of 2 kB.
        private static let longestByteCount = 200 << 20

        func run() async throws {
            let bytes = try InputFile.read(file, limit: Import.longestByteCount + 1)
            guard bytes.count <= Import.longestByteCount, let text = String(validating: bytes, as: UTF8.self)
            else {
                throw CommandFailure(
                    .badData,
                    "\(file): a text of at most 200 MiB is expected, as 'nearby beacons export' prints it")
            }
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard lines.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
                throw CommandFailure(
                    .badData,
                    "\(file): not one line in it; JSON as 'nearby beacons export' prints it is expected")
            }
            do {
                let (namespaces, beacons) = try await place.administration().importLines(lines)
                StandardError.write("\(file): \(beacons) beacons, \(namespaces) namespaces")
            } catch BeaconProblem.wrong(let line) {
                throw CommandFailure(.badData, "\(file): \(line)")
            }
        }
    }
}

extension AttachmentType {
    /// Parses a type. Throws: 64 if it is invalid.
    fileprivate static func parsed(_ text: String) throws -> AttachmentType {
        guard let type = AttachmentType(text) else {
            throw ValidationError(
                "expected namespace/type, as mall/offer; 'nearby beacons namespace' lists namespaces")
        }
        return type
    }
}
