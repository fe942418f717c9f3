/// A writer of AD structures within a budget of bytes. Counterpart: ``Advertisement``.
///
///     var composer = AdvertisementComposer()
///     try composer.append(.beacon)
///     try composer.append(serviceData: payload, of: .eddystone)
public struct AdvertisementComposer: Sendable {
    /// The largest number of bytes in a legacy advertisement, and in its scan response.
    public static let legacyByteCount = 31

    /// The largest number of bytes.
    public let byteBudget: Int
    /// The bytes that have been written so far.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter byteBudget: the number of bytes that the controller accepts: 31, or more with extended
    ///   advertising; less the bytes that others add, such as the 3 bytes of flags that the kernel's
    ///   management interface adds.
    public init(byteBudget: Int = legacyByteCount) {
        precondition(byteBudget >= 0, "a budget of \(byteBudget) bytes")
        self.byteBudget = byteBudget
    }

    /// The largest number of bytes in the body of one more structure; negative if there is no room even for
    /// its length and type.
    public var bodyByteBudget: Int { min(byteBudget - bytes.count - 2, ADStructureLimit.bodyByteCount) }

    /// Appends a structure. Throws ``AdvertisementOverflow`` if it does not fit; then nothing is written.
    public mutating func append(_ type: ADType, _ body: some Collection<UInt8>) throws(AdvertisementOverflow)
    {
        let count = 2 + body.count
        guard body.count <= bodyByteBudget else {
            throw AdvertisementOverflow(type: type, neededBytes: count, leftBytes: bodyByteBudget + 2)
        }
        bytes.append(UInt8(1 + body.count))
        bytes.append(type.rawValue)
        bytes += body
    }

    /// Appends flags. Throws ``AdvertisementOverflow``.
    public mutating func append(_ flags: AdvertisementFlags) throws(AdvertisementOverflow) {
        try append(.flags, [flags.rawValue])
    }

    /// Appends a list of this service alone: iOS in the background finds only listed services. Throws
    /// ``AdvertisementOverflow``.
    public mutating func append(listing uuid: BluetoothUUID) throws(AdvertisementOverflow) {
        try append(uuid.short == nil ? .completeUUIDs128 : .completeUUIDs16, uuid.bytes)
    }

    /// Appends data of a service. Throws ``AdvertisementOverflow``.
    public mutating func append(
        serviceData payload: some Collection<UInt8>, of uuid: BluetoothUUID
    ) throws(AdvertisementOverflow) {
        try append(uuid.short == nil ? .serviceData128 : .serviceData16, uuid.bytes + payload)
    }

    /// Appends data of a company. Throws ``AdvertisementOverflow``.
    public mutating func append(
        manufacturerData payload: some Collection<UInt8>, of company: UInt16
    ) throws(AdvertisementOverflow) {
        let head = [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)]
        try append(.manufacturerData, head + payload)
    }
}

/// The limit that one byte of length sets.
enum ADStructureLimit {
    static let bodyByteCount = 254
}

/// The error for a structure that does not fit into an advertisement.
public struct AdvertisementOverflow: Error, Hashable, Sendable, CustomStringConvertible {
    /// The type of the structure that was not written.
    public let type: ADType
    /// The bytes that the structure needs, with its length and type.
    public let neededBytes: Int
    /// The bytes that are left for one more structure, with its length and type.
    public let leftBytes: Int

    public var description: String {
        "a structure of type 0x\(String(type.rawValue, radix: 16)) needs \(neededBytes) bytes, there are \(leftBytes) left"
            + ": send less, or in a second advertisement"
    }
}
