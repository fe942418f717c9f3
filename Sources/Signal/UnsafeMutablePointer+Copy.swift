extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// Does what `update(from:count:)` does, in one move of memory: Embedded Swift calls a function for each
    /// element.
    @inlinable public func copy(from source: UnsafePointer<Pointee>, count: Int) {
        UnsafeMutableRawPointer(self).copyMemory(
            from: source, byteCount: count * MemoryLayout<Pointee>.stride)
    }
}
