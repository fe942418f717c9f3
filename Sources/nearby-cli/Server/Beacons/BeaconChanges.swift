import ArgumentParser
import CommandOutput
import FoundationEssentials
import Nearby
import NearbyService

extension Beacons {
    struct Activate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let apps find a beacon.")

        @OptionGroup var one: One
        @OptionGroup var place: Place

        func run() async throws {
            try await place.administration().change(one.name) { try $0.become(.active) }
        }
    }

    struct Deactivate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Hide a beacon from apps until it is activated again.")

        @OptionGroup var one: One
        @OptionGroup var place: Place

        func run() async throws {
            try await place.administration().change(one.name) { try $0.become(.inactive) }
        }
    }

    struct Decommission: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Retire a beacon permanently.",
            discussion:
                "Apps never find it again, and its name is never assigned again. This cannot be undone.")

        @OptionGroup var one: One
        @OptionGroup var place: Place

        func run() async throws {
            try await place.administration().change(one.name) { try $0.become(.decommissioned) }
        }
    }

    struct Attach: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Attach a text, or the bytes of a file, to a beacon.")

        @OptionGroup var one: One

        @Argument(
            help: ArgumentHelp("Type of the attachment, as namespace/type.", valueName: "type"),
            transform: AttachmentType.parsed)
        var type: AttachmentType

        @Argument(help: ArgumentHelp("Text to attach.", valueName: "text"))
        var text: String?

        @Option(
            help: ArgumentHelp(
                "Attach the bytes of this file instead of a text; - for standard input.", valueName: "file"))
        var file: String?

        @Option(
            help: ArgumentHelp(
                "Give the attachment only to devices within this distance; 0 for all.", valueName: "meters"))
        var maxDistance = 0.0

        @OptionGroup var place: Place

        func validate() throws {
            guard (text == nil) != (file == nil) else {
                throw ValidationError("give either a text or --file")
            }
            guard maxDistance >= 0, maxDistance.isFinite else {
                throw ValidationError("--max-distance must be 0 or more")
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
            abstract: "Remove a beacon's attachments of a type.")

        @OptionGroup var one: One

        @Argument(
            help: ArgumentHelp(
                "Type to remove, as namespace/type; namespace/* for all types in the namespace.",
                valueName: "type"))
        var type: String

        @OptionGroup var place: Place

        func validate() throws {
            switch AttachmentFilter(type) {
            case .type, .namespace: break
            case .own, nil: throw ValidationError("'\(type)': expected namespace/type, or namespace/*")
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
            abstract: "Print all namespaces and beacons, one JSON object per line.",
            discussion: "'nearby beacons import' reads them, into this or another store.")

        @Flag(
            help:
                "Include the keys of Eddystone-EID beacons; whoever reads them can impersonate these beacons."
        )
        var withKeys = false

        @OptionGroup var place: Place

        @Option(
            name: .shortAndLong,
            help: ArgumentHelp(
                "Write to this new file, which only its owner can read. (default: standard output)",
                valueName: "file"))
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
            abstract: "Create and update the namespaces and beacons of an export, all of them or none.",
            discussion: "Namespaces and beacons that the export does not name stay as they are.")

        @Argument(help: ArgumentHelp("Export to read; - for standard input.", valueName: "file"))
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
                    "\(file): expected a text of at most 200 MiB, as 'nearby beacons export' prints it")
            }
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard lines.contains(where: { !$0.allSatisfy(\.isWhitespace) }) else {
                throw CommandFailure(
                    .badData,
                    "\(file): is empty; expected lines of JSON, as 'nearby beacons export' prints them")
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
                "expected namespace/type, such as mall/offer; 'nearby beacons namespace' lists namespaces")
        }
        return type
    }
}
