#include <fcntl.h>

/// A standard stream that is closed gets a descriptor on which every read or write that it is for fails. Otherwise the next file
/// that is opened takes its number, and tokens go into a recording. Words for nobody are dropped.
///
/// In C and before `main`, because what runs Swift's tasks opens files before the first line of an asynchronous `main`.
__attribute__((constructor)) static void occupy_standard_streams(void) {
    const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
    for (int stream = 0; stream < 3; stream++)
        // The lowest free number is this stream's: those below it are open by now.
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", modes[stream]) < 0) return;
}
