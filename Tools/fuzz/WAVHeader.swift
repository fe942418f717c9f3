// Any bytes as a sound file: an error or sound, never a trap.
import AudioIO
import Glibc

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    let file = memfd_create("input", 0)
    defer { close(file) }
    guard write(file, bytes, count) == count, lseek(file, 0, SEEK_SET) == 0 else { return -1 }
    do {
        let reader = try WAVReader(descriptor: file, path: .standardStream)
        var block = reader.makeBlock()
        var frameCount = 0
        while frameCount < 1 << 20, try reader.read(into: &block) {
            frameCount += block.frameCount
            for channel in 0..<block.channelCount {
                precondition(block.withChannel(channel) { $0.allSatisfy(\.isFinite) })
            }
        }
    } catch {
        precondition((error as? AudioIOError).map { !"\($0)".contains("\n") } == true)
    }
    return 0
}
