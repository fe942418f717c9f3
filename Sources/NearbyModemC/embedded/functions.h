// The functions of C that the modem calls, for where no system has headers of them.
#pragma once

#include <stddef.h>

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
