import Nearby

/// The bulletin of this device: its publications, and the frames that carry them.
struct OwnBulletin: Sendable {
    /// The device's sender id for holders of the key. It lasts until the device ends or is renamed.
    private(set) var sender: UInt32
    /// The device's former sender ids: frames with them may still be in the air.
    private var formerSenders: [UInt32] = []
    /// The number of changes to the publications. Receivers do not go back to a lower one.
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

    /// Returns true if the id is this device's present one or one of its last.
    func isSender(_ sender: UInt32) -> Bool { sender == self.sender || formerSenders.contains(sender) }

    /// Draws a new sender id, so that the device is another one for those who hear it.
    mutating func rename(random: inout some RandomNumberGenerator) {
        formerSenders = formerSenders.suffix(7) + [sender]
        (sender, generation) = (random.next(), 1)
    }

    /// Takes the publications of a report. `random` draws a new sender id if the generations run out.
    ///
    /// Throws: `.refused` if the publications exceed the capacity of frames; nothing has changed then.
    mutating func take(_ report: Report, random: inout some RandomNumberGenerator) throws(RegistryError) {
        var next = self
        if report.isComplete || report.unregisters { next.published = [:] }
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

    /// Returns true if a publication goes on air. Without a server, only devices that hear this one find its
    /// publications.
    private static func isForAir(_ publication: Publication) -> Bool {
        guard case .message = publication.content else { return false }
        return publication.strategy.mode.contains(.broadcast) && publication.strategy.counts(.audio)
    }

    /// Assigns slots to new publications. It reuses a former slot as late as possible, because others may
    /// still know it.
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

    /// Returns the frames for an epoch. An empty bulletin says that nothing is published any more.
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

/// The statement that a publisher signs: the bulletin with its sender and time, so that no one can send it
/// again under another sender id or later.
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
