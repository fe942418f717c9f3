// Names are C's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CNearbyModem

/// Returns the keys of a project from C, for the epoch of a time.
private func offlineKeys(
    _ project: UnsafePointer<nbm_offline_project>?, at seconds: UInt64
) throws(Refusal) -> OfflineKeys {
    guard project != nil else { throw .null("project") }
    let project = try Structure.read(project, or: nbm_offline_project())
    guard project.name != nil else { throw .null("the project's name") }
    return OfflineKeys(
        name: try text(project.name, or: "", "the project's name"),
        key: withUnsafeBytes(of: project.key) { Array($0) }, epoch: seconds / OfflineKeys.epochSeconds)
}

@c @implementation public func nbm_offline_key(
    _ text: UnsafePointer<CChar>?, _ key: UnsafeMutablePointer<UInt8>?
) -> nbm_result {
    guard let text, let key else { return NBM_ERROR_NULL }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var (bytes, bits, count, place) = ([UInt8](), 0, 0, 0)
    // A text of 32 bytes has 43 letters: a longer one is not read further.
    while place <= 43, text[place] != 0 {
        guard let value = digits.firstIndex(of: UInt8(bitPattern: text[place])) else {
            return NBM_ERROR_RANGE
        }
        (bits, count, place) = (bits << 6 | value, count + 6, place + 1)
        guard count >= 8 else { continue }
        count -= 8
        bytes.append(UInt8(bits >> count))
        bits &= (1 << count) - 1
    }
    guard place == 43, bytes.count == Int(NBM_OFFLINE_KEY_BYTES), bits == 0 else { return NBM_ERROR_RANGE }
    for (index, byte) in bytes.enumerated() { key[index] = byte }
    return NBM_OK
}

@c @implementation public func nbm_offline_token(
    _ project: UnsafePointer<nbm_offline_project>?, _ sender: UInt32, _ unixSeconds: UInt64,
    _ token: UnsafeMutablePointer<UInt8>?, _ validSeconds: UnsafeMutablePointer<UInt32>?
) -> nbm_result {
    result { () throws(Refusal) in
        guard let token else { throw .null("token") }
        let keys = try offlineKeys(project, at: unixSeconds)
        for (index, byte) in keys.seal(highestFirst(sender), as: .token).enumerated() { token[index] = byte }
        validSeconds?.pointee = UInt32(OfflineKeys.epochSeconds - unixSeconds % OfflineKeys.epochSeconds)
    }
}

@c @implementation public func nbm_offline_message(
    _ project: UnsafePointer<nbm_offline_project>?, _ sender: UInt32, _ generation: UInt16,
    _ unixSeconds: UInt64, _ nameSpace: UnsafePointer<CChar>?, _ type: UnsafePointer<CChar>?,
    _ content: UnsafePointer<UInt8>?, _ contentBytes: Int,
    _ frames: UnsafeMutablePointer<nbm_offline_frame>?, _ frameCount: UnsafeMutablePointer<Int>?
) -> nbm_result {
    result { () throws(Refusal) in
        guard let frames else { throw .null("frames") }
        guard let frameCount else { throw .null("frame_count") }
        let keys = try offlineKeys(project, at: unixSeconds)
        guard (0...OfflineBulletin.capacity).contains(contentBytes) else {
            throw Refusal(NBM_ERROR_TOO_LONG, "content has \(contentBytes) bytes")
        }
        let bulletin = OfflineBulletin(
            namespace: Array(try text(nameSpace, or: "", "name_space").utf8),
            type: Array(try text(type, or: "", "type").utf8),
            content: try bytes(content, contentBytes, "content"))
        guard let bulletin else { throw Refusal(NBM_ERROR_TOO_LONG, "frames carry 267 bytes, 255 of each") }
        let fragments = bulletin.fragments(sender: sender, generation: generation)
        for (index, fragment) in fragments.enumerated() {
            let sealed = keys.seal(fragment, as: .frame)
            var frame = nbm_offline_frame()
            frame.byte_count = UInt32(sealed.count)
            withUnsafeMutableBytes(of: &frame.bytes) { $0.copyBytes(from: sealed) }
            frames[index] = frame
        }
        frameCount.pointee = fragments.count
    }
}
