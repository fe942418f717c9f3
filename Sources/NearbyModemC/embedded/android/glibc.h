// What Android's C library declares of all that the modem calls: its headers come with the NDK only.
// `Tools/arm/try` compares what the archive asks for with what Android has.
#ifndef NEARBY_ANDROID_GLIBC_H
#define NEARBY_ANDROID_GLIBC_H

#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void free(void *);
int posix_memalign(void **, size_t, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);

double sin(double);
double cos(double);
double tan(double);
double tanh(double);
double atan2(double, double);
double exp(double);
double exp2(double);
double log(double);
double log1p(double);
double log2(double);
double log10(double);
double pow(double, double);
double hypot(double, double);
double erfc(double);
float sinf(float);
float cosf(float);
float tanf(float);
float tanhf(float);
float atan2f(float, float);
float expf(float);
float exp2f(float);
float logf(float);
float log1pf(float);
float log2f(float);
float log10f(float);
float powf(float, float);
float hypotf(float, float);

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
