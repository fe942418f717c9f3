import CStartCode

/// Control over code pages that only the start of a program or a rare event needs. They are half of the code
/// that a listener or a set-top box would otherwise keep in memory for days.
package enum StartCode {
    /// Releases all pages of code and constants, and the free part of the heap. Pages that are used again
    /// come back one by one, from the system's file cache or from the files.
    package static func letGo() { nearby_start_code_let_go() }

    /// Makes the C library return large blocks to the system as soon as they are freed. A received token
    /// needs megabytes of them, which the library would otherwise keep. Call it once, at the start.
    package static func giveBackLargeBlocks() { nearby_give_back_large_blocks() }
}
