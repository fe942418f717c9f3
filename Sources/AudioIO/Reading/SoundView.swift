import CSndFile
import Glibc

/// Bytes that libsndfile reads as if they were a file of their own.
protocol ViewedBytes: AnyObject {
    /// Bytes in all; ``SoundView/endless`` when nobody knows.
    var length: Int { get }
    var position: Int { get }
    /// Goes to a place; false where that cannot be.
    func move(to place: Int) -> Bool
    /// Returns how many bytes came: fewer at the end alone.
    func read(into bytes: UnsafeMutableRawPointer, count: Int) -> Int
}

/// How libsndfile is given bytes of ours.
enum SoundView {
    /// Longer than any recording, and short enough for libsndfile to calculate with.
    static let endless = 1 << 60

    /// Opens sound for reading. The bytes must live as long as what is returned; nil when libsndfile refuses.
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
            // libmpg123 takes a stream for a file when it may go to the end.
            guard !isOver, place >= 0, bytes.move(to: place) else { return -1 }
            return sf_count_t(bytes.position)
        }
        return sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(bytes).toOpaque())
    }

    private static func bytes(_ context: UnsafeMutableRawPointer?) -> (any ViewedBytes)? {
        context.map { Unmanaged<ByteBox>.fromOpaque($0).takeUnretainedValue().bytes }
    }
}

/// Holds the bytes at an address that C can keep.
final class ByteBox {
    let bytes: any ViewedBytes
    init(_ bytes: any ViewedBytes) { self.bytes = bytes }
}
