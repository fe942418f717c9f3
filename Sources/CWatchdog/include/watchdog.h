#ifndef NEARBY_GUARDIAN_H
#define NEARBY_GUARDIAN_H

// A process that has something open as well as its parent, and when that has ended, however it did, says its last words there.
// In C, because between fork and the end only what is safe in a signal handler may be called.

/// Starts one for the open descriptor `radio`. It is nobody's child, ignores signals but for SIGKILL, and has nothing else open.
///
/// *control is a socket: each packet sent there replaces the last words before it: messages of at most 255 bytes, each after a
/// byte with its length, and a 0 at the end. When the socket's other ends are closed, the watchdog sends the messages, reads what
/// comes for half a second, and ends; without messages it ends at once, and that is to be read as the socket's end.
///
/// Returns 0, or errno.
int nearby_watchdog_start(int radio, int *control);

#endif
