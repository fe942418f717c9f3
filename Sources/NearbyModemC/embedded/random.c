#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// Embedded Swift draws random numbers by this name, which glibc has from 2.36 on. This one stays within the library, and asks
// the kernel itself, as glibc has getrandom() only from 2.25 on: the library loads where glibc is 2.17.

/// Reads the system's random numbers where the kernel has no getrandom(). Returns 0 when they cannot be had.
static int read_device(uint8_t *bytes, size_t count) {
    int file = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    while (count > 0) {
        ssize_t got = read(file, bytes, count);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        bytes += got;
        count -= (size_t)got;
    }
    close(file);
    return count == 0;
}

void arc4random_buf(void *buffer, size_t count) {
    uint8_t *bytes = buffer;
    while (count > 0) {
        ssize_t got = syscall(SYS_getrandom, bytes, count, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            // A program without random numbers would seed every box alike.
            if (!read_device(bytes, count)) abort();
            return;
        }
        bytes += got;
        count -= (size_t)got;
    }
}
