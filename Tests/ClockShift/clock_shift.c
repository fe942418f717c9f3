// Shifts the clocks of the program that it is preloaded into (LD_PRELOAD), as the file named by CLOCK_SHIFT_FILE says:
//
//     wall-seconds boot-seconds
//
// The first number is added to CLOCK_REALTIME, the second one to CLOCK_BOOTTIME. The file is read at each call, so that a test can
// set the clock of a program that runs. Without the variable or the file nothing is shifted.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void read_shifts(double *wall, double *boot) {
    *wall = *boot = 0;
    const char *path = getenv("CLOCK_SHIFT_FILE");
    if (!path) return;
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return;
    char text[64];
    long count = syscall(SYS_read, file, text, sizeof text - 1);
    syscall(SYS_close, file);
    if (count <= 0) return;
    text[count] = 0;
    char *rest;
    *wall = strtod(text, &rest);
    *boot = strtod(rest, NULL);
}

static void add(struct timespec *time, double seconds) {
    const long nanos_per_second = 1000000000;
    long long whole = (long long)seconds;
    long nanos = time->tv_nsec + (long)((seconds - (double)whole) * nanos_per_second);
    time->tv_sec += whole;
    if (nanos < 0) { nanos += nanos_per_second; time->tv_sec--; }
    if (nanos >= nanos_per_second) { nanos -= nanos_per_second; time->tv_sec++; }
    time->tv_nsec = nanos;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result) return (int)result;
    double wall, boot;
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) {
        read_shifts(&wall, &boot);
        add(time, wall);
    } else if (clock == CLOCK_BOOTTIME) {
        read_shifts(&wall, &boot);
        add(time, boot);
    }
    return 0;
}

int gettimeofday(struct timeval *restrict value, void *restrict zone) {
    (void)zone;
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    value->tv_sec = time.tv_sec;
    value->tv_usec = time.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
