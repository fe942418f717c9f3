// Any bytes as an advertisement: what is read lies in it and, written again, is the same bytes up to the end, a zero or what is cut off.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    let advertisement = Advertisement(input.span)
    var composer = AdvertisementComposer(byteBudget: count)
    var (reader, structureCount) = (advertisement.structures, 0)
    while let structure = reader.next() {
        structureCount += 1
        write(structure, with: &composer)
        look(at: structure, in: advertisement)
    }
    precondition(input.starts(with: composer.bytes))
    let rest = input.dropFirst(composer.bytes.count)
    precondition(reader.isTruncated ? rest[rest.startIndex] >= rest.count : rest.first ?? 0 == 0)
    precondition(reader.next() == nil && structureCount <= count / 2)
    return 0
}

func write(_ structure: borrowing ADStructure, with composer: inout AdvertisementComposer) {
    do {
        try composer.append(structure.type, structure.body.array)
    } catch {
        preconditionFailure("it was read from as many bytes: \(error)")
    }
}

func look(at structure: borrowing ADStructure, in advertisement: borrowing Advertisement) {
    if let data = structure.serviceData {
        precondition(data.payload.count < structure.body.count && advertisement.names(data.uuid))
        precondition(BluetoothUUID(data.uuid.description) == data.uuid)
        precondition(advertisement.serviceData(of: data.uuid) != nil)
    }
    if let data = structure.manufacturerData { precondition(data.payload.count == structure.body.count - 2) }
    for index in 0..<structure.serviceUUIDCount {
        precondition(advertisement.names(structure.serviceUUID(at: index)))
    }
    precondition((structure.txPowerDBm == nil) || structure.type == .txPowerLevel)
    precondition(structure.type != .flags || structure.body.isEmpty || advertisement.first(.flags) != nil)
}
