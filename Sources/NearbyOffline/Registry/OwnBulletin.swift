import Nearby

/// What this device publishes, and how it goes on air.
struct OwnBulletin: Sendable {
    /// Who it is to those who have the key, until it ends.
    private(set) var sender: UInt32
    /// Who it was before: its own frames may still be in the air.
    private var formerSenders: [UInt32] = []
    /// Counts what was published; others do not go back.
    private(set) var generation: UInt16 = 0
    private let project: OfflineProject
    private let key: PublisherKey?
    private var published: [OperationID: Publication] = [:]
    private var slots: [OperationID: UInt8] = [:]
    private var lastSlot: UInt8 = 0

    init(_ project: OfflineProject, key: PublisherKey?, sender: UInt32) {
        (self.project, self.key, self.sender) = (project, key, sender)
    }

    var isEmpty: Bool { published.isEmpty }

    /// Whether that is this device, by its name of now or by one of its last.
    func isSender(_ sender: UInt32) -> Bool { sender == self.sender || formerSenders.contains(sender) }

    /// From now on it is somebody else to those who hear it.
    mutating func rename(random: inout some RandomNumberGenerator) {
        formerSenders = formerSenders.suffix(7) + [sender]
        (sender, generation) = (random.next(), 1)
    }

    /// Takes what a report says of publications; `random` draws another sender should the generations run out.
    ///
    /// Throws: `.refused` when it is more than frames carry; nothing has changed then.
    mutating func take(_ report: Report, random: inout some RandomNumberGenerator) throws(RegistryError) {
        var next = self
        if report.isComplete || report.isFarewell { next.published = [:] }
        for id in report.ended { next.published[id] = nil }
        for (id, publication) in report.published where OwnBulletin.isForAir(publication) {
            next.published[id] = publication
        }
        next.nameSlots()
        guard next.published != published else { return }
        try next.checkSize()
        if next.generation == .max {
            next.rename(random: &random)
        } else {
            next.generation += 1
        }
        self = next
    }

    /// Without a server a publication is found only by who hears its device.
    private static func isForAir(_ publication: Publication) -> Bool {
        guard case .message = publication.content else { return false }
        return publication.strategy.mode.contains(.broadcast) && publication.strategy.counts(.audio)
    }

    /// A slot that was given up is given again as late as can be: others may still know it.
    private mutating func nameSlots() {
        slots = slots.filter { published[$0.key] != nil }
        var taken = Set(slots.values)
        for id in published.keys.ordered() where slots[id] == nil && taken.count < Bulletin.slotCount {
            repeat { lastSlot = (lastSlot + 1) & 0x7F } while taken.contains(lastSlot)
            slots[id] = lastSlot
            taken.insert(lastSlot)
        }
    }

    private func checkSize() throws(RegistryError) {
        let capacity = Fragment.capacity - (key == nil ? 0 : Bulletin.signatureByteCount)
        guard slots.count == published.count else {
            throw .refused("without a server there are at most \(Bulletin.slotCount) publications: end some")
        }
        let byteCount = bulletin.unsignedByteCount
        guard bulletin.signedBytes(isSigned: key != nil) != nil else {
            throw .refused("without a server a namespace, a type and a content have at most 255 bytes each")
        }
        guard byteCount <= capacity else {
            throw .refused(
                "without a server all publications together take at most \(capacity) bytes, not \(byteCount): "
                    + "shorten them, or publish a link")
        }
    }

    private var bulletin: Bulletin {
        let entries = published.compactMap { id, publication -> Bulletin.Entry? in
            guard case .message(let message) = publication.content, let slot = slots[id] else { return nil }
            return Bulletin.Entry(
                slot: slot, isForEarshot: publication.strategy.reach == .earshot,
                namespace: message.namespace, type: message.type, content: message.content)
        }
        return Bulletin(entries: entries.ordered { $0.slot < $1.slot })
    }

    /// Frames of an epoch; an empty bulletin says that nothing is published any more.
    func frames(_ keys: EpochKeys, on medium: Medium) -> [SealedFrame] {
        guard var bytes = bulletin.signedBytes(isSigned: key != nil) else { return [] }
        if let key {
            let statement = Statement(project: project, epoch: keys.epoch, sender, generation, bytes)
            guard let signature = key.sign(statement.bytes) else { return [] }
            bytes += signature
        }
        let fragments = Fragment.split(bytes, sender: sender, generation: generation) ?? []
        return fragments.map { keys.seal($0, for: medium) }
    }
}

/// What a publisher signs: the bulletin, and who sends it when, so that it cannot be sent again by others or later.
struct Statement {
    let bytes: [UInt8]

    init(
        project: OfflineProject, epoch: UInt64, _ sender: UInt32, _ generation: UInt16,
        _ signedBytes: [UInt8]
    ) {
        let name = Array(project.name.utf8)
        bytes =
            Array("nearby offline bulletin 1".utf8) + [0] + UInt64(name.count).bigEndianBytes + name
            + epoch.bigEndianBytes + sender.bigEndianBytes + generation.bigEndianBytes + signedBytes
    }
}
