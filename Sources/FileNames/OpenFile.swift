import Glibc

/// Reads the rest of an open file, or its next `count` bytes. Returns `nil` if the file cannot be read;
/// `errno` holds the reason.
package func readRest(of descriptor: Int32, upTo count: Int = .max) -> [UInt8]? {
    var (bytes, block) = ([UInt8](), [UInt8](repeating: 0, count: min(count, 64 << 10)))
    while bytes.count < count {
        let more = read(descriptor, &block, min(block.count, count - bytes.count))
        if more < 0, errno == EINTR { continue }
        guard more >= 0 else { return nil }
        if more == 0 { break }
        bytes += block[..<more]
    }
    return bytes
}
