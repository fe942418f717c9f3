// What Android's C library declares of all that the modem calls: its headers come with the NDK only.
// `Tools/arm/try` compares what the archive asks for with what Android has.
#ifndef NEARBY_ANDROID_GLIBC_H
#define NEARBY_ANDROID_GLIBC_H

#include <stddef.h>
#include <stdint.h>

#include "../functions.h"

// Android's numbers; with 32 bits RTLD_NOW is 0, and 2 is RTLD_GLOBAL.
#define RTLD_LOCAL 0
#ifdef __LP64__
#define RTLD_NOW 2
#else
#define RTLD_NOW 0
#endif
#define RTLD_NODELETE 0x1000
void *dlopen(const char *, int);
void *dlsym(void *, const char *);

// `time_t` is a long on Android, which has 32 bits on ARMv7.
struct timespec {
    long tv_sec;
    long tv_nsec;
};
#define CLOCK_BOOTTIME 7
int clock_gettime(int, struct timespec *);

#endif
