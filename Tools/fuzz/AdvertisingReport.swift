// Any bytes as an advertisement: what is read lies in it and, written again, is the same bytes, zeros between
// them left out, up to the end or to what is cut off.

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    let advertisement = Advertisement(input.span)
    var (reader, structureCount) = (advertisement.structures, 0)
    var rest = input.drop { $0 == 0 }
    while let structure = reader.next() {
        structureCount += 1
        var composer = AdvertisementComposer(byteBudget: count)
        write(structure, with: &composer)
        precondition(rest.starts(with: composer.bytes))
        rest = rest.dropFirst(composer.bytes.count).drop { $0 == 0 }
        look(at: structure, in: advertisement)
    }
    precondition(reader.isTruncated ? rest[rest.startIndex] >= rest.count : rest.isEmpty)
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
