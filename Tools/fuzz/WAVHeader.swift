// Any bytes as a sound file: an error or sound, never a trap.
import AudioIO
import Glibc

/// One unnamed file, filled anew for every input.
private let file = fileno(tmpfile())

/// The same bytes through a pipe, as far as one holds them: its end is known only when it comes.
private func readPipe(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return }
    defer { close(ends[0]) }
    _ = write(ends[1], bytes, min(count, 60_000))
    close(ends[1])
    read(ends[0])
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard ftruncate(file, 0) == 0, pwrite(file, bytes, count, 0) == count else { return -1 }
    lseek(file, 0, SEEK_SET)
    read(file)
    readPipe(bytes, count)
    return 0
}

/// All of the sound, up to a second or so.
private func read(_ descriptor: Int32) {
    do {
        let reader = try WAVReader(descriptor: descriptor, path: .standardStream)
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
        precondition(!"\(error)".contains("\n"))
    }
}
