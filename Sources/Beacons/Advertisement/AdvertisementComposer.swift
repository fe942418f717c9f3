/// Writes AD structures, no more than fit. Opposite: ``Advertisement``.
///
///     var composer = AdvertisementComposer()
///     try composer.append(.beacon)
///     try composer.append(serviceData: payload, of: .eddystone)
public struct AdvertisementComposer: Sendable {
    /// Of a legacy advertisement, and of its scan response.
    public static let legacyByteCount = 31

    /// At most so many bytes.
    public let byteBudget: Int
    /// What is written so far.
    public private(set) var bytes: [UInt8] = []

    /// - Parameter byteBudget: what the controller takes: 31, or more with extended advertising; less what others add, as the
    ///   kernel's management interface does with 3 bytes of flags.
    public init(byteBudget: Int = legacyByteCount) {
        precondition(byteBudget >= 0, "a budget of \(byteBudget) bytes")
        self.byteBudget = byteBudget
    }

    /// Bytes that the body of one more structure may have; negative where there is no room even for its length and type.
    public var bodyByteBudget: Int { min(byteBudget - bytes.count - 2, ADStructureLimit.bodyByteCount) }

    /// Throws ``AdvertisementOverflow`` where it does not fit; nothing is written then.
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

    /// Throws ``AdvertisementOverflow``.
    public mutating func append(_ flags: AdvertisementFlags) throws(AdvertisementOverflow) {
        try append(.flags, [flags.rawValue])
    }

    /// The list of a service alone: iOS in the background finds only what is listed. Throws ``AdvertisementOverflow``.
    public mutating func append(listing uuid: BluetoothUUID) throws(AdvertisementOverflow) {
        try append(uuid.short == nil ? .completeUUIDs128 : .completeUUIDs16, uuid.bytes)
    }

    /// Throws ``AdvertisementOverflow``.
    public mutating func append(
        serviceData payload: some Collection<UInt8>, of uuid: BluetoothUUID
    ) throws(AdvertisementOverflow) {
        try append(uuid.short == nil ? .serviceData128 : .serviceData16, uuid.bytes + payload)
    }

    /// Throws ``AdvertisementOverflow``.
    public mutating func append(
        manufacturerData payload: some Collection<UInt8>, of company: UInt16
    ) throws(AdvertisementOverflow) {
        let head = [UInt8(truncatingIfNeeded: company), UInt8(truncatingIfNeeded: company >> 8)]
        try append(.manufacturerData, head + payload)
    }
}

/// What one byte of length allows.
enum ADStructureLimit {
    static let bodyByteCount = 254
}

/// A structure that has no room in an advertisement.
public struct AdvertisementOverflow: Error, Hashable, Sendable, CustomStringConvertible {
    /// Of the structure that was not written.
    public let type: ADType
    /// Its length and type included.
    public let neededBytes: Int
    /// Room that one more structure has, its length and type included.
    public let leftBytes: Int

    public var description: String {
        "a structure of type 0x\(String(type.rawValue, radix: 16)) needs \(neededBytes) bytes, there are \(leftBytes) left"
            + ": send less, or in a second advertisement"
    }
}
