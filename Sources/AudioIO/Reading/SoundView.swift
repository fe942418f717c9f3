import CSndFile
import Glibc

/// Bytes that libsndfile reads as if they were a separate file.
protocol ViewedBytes: AnyObject {
    /// The number of bytes in all; ``SoundView/endless`` if it is unknown.
    var length: Int { get }
    var position: Int { get }
    /// Goes to a place; returns false if that is impossible.
    func move(to place: Int) -> Bool
    /// Reads bytes and returns how many came: fewer than `count` only at the end.
    func read(into bytes: UnsafeMutableRawPointer, count: Int) -> Int
}

/// The bridge by which libsndfile reads this package's bytes.
enum SoundView {
    /// A length above that of any recording, and small enough for libsndfile's calculations.
    static let endless = 1 << 60

    /// Opens sound for reading; returns `nil` if libsndfile refuses. The bytes must live as long as the
    /// returned handle.
    static func open(_ bytes: ByteBox, _ info: inout SF_INFO) -> OpaquePointer? {
        var calls = SF_VIRTUAL_IO()
        calls.get_filelen = { SoundView.bytes($0).map { sf_count_t($0.length) } ?? 0 }
        calls.tell = { SoundView.bytes($0).map { sf_count_t($0.position) } ?? 0 }
        calls.read = { destination, count, context in
            guard let bytes = SoundView.bytes(context), let destination, count > 0 else { return 0 }
            return sf_count_t(bytes.read(into: destination, count: Int(count)))
        }
        calls.seek = { offset, whence, context in
            guard let bytes = SoundView.bytes(context) else { return -1 }
            let base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? bytes.position : bytes.length
            let (place, isOver) = base.addingReportingOverflow(Int(offset))
            // libmpg123 treats a stream as a file if it may go to the end.
            guard !isOver, place >= 0, bytes.move(to: place) else { return -1 }
            return sf_count_t(bytes.position)
        }
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(bytes).toOpaque())
    }

    private static func bytes(_ context: UnsafeMutableRawPointer?) -> (any ViewedBytes)? {
        context.map { Unmanaged<ByteBox>.fromOpaque($0).takeUnretainedValue().bytes }
    }
}

/// A box that holds the bytes at an address that C can keep.
final class ByteBox {
    let bytes: any ViewedBytes
    init(_ bytes: any ViewedBytes) { self.bytes = bytes }
}
