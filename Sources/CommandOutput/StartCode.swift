import CStartCode

/// Code that only the start of a program, or a rare event, needs: half of all code that a listener or a box would else hold in
/// memory for days.
package enum StartCode {
    /// Lets go of all code and constants, and of what is free of the heap. What goes on to be used comes back, a piece at a
    /// time, out of the system's cache of files, which keeps the rest as long as there is room; or else out of the files.
    package static func letGo() { nearby_start_code_let_go() }

    /// What a token took to be heard goes back to the system when it has been: megabytes, which the C library would keep.
    /// Once, at the start.
    package static func giveBackLargeBlocks() { nearby_give_back_large_blocks() }
}
