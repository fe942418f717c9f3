// Any bytes as a sound file: an error or sound, never a trap.
import AudioIO
import Glibc

/// One unnamed file, filled anew for every input.
private let file = fileno(tmpfile())

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard ftruncate(file, 0) == 0, pwrite(file, bytes, count, 0) == count else { return -1 }
    lseek(file, 0, SEEK_SET)
    do {
        let reader = try WAVReader(descriptor: file, path: .standardStream)
        var block = reader.makeBlock()
        var frameCount = 0
        while frameCount < 1 << 16, try reader.read(into: &block) {
            frameCount += block.frameCount
            for channel in 0..<block.channelCount {
                block.withChannel(channel) { samples in
                    precondition(samples.allSatisfy { $0.isFinite })
                }
            }
        }
    } catch {
        precondition((error as? AudioIOError).map { !"\($0)".contains("\n") } == true)
    }
    return 0
}
