#include "vectors.h"

// List decoding: polar codes, and a trellis of tones.

typedef unsigned u8 __attribute__((vector_size(32), aligned(4)));
#define SIGN 0x80000000u

// Macros: vectors this wide are no arguments where the processor may not have them.
#define MAGNITUDE(x) ((f8)((u8)(x) & ~SIGN))
// The fourth root of what stands for ln(1 + e^-x), x not negative.
#define SOFTNESS_ROOT(x) GREATER(0.91244f - 0.16455f * (x), (f8){0})
#define POLAR_F(x, y, z)                                                                                         \
    do {                                                                                                         \
        f8 a_ = MAGNITUDE(x), b_ = MAGNITUDE(y);                                                                 \
        f8 least_ = LESSER(a_, b_);                                                           \
        f8 sum_ = SOFTNESS_ROOT(a_ + b_), difference_ = SOFTNESS_ROOT(MAGNITUDE(a_ - b_));                       \
        sum_ *= sum_;                                                                                            \
        difference_ *= difference_;                                                                              \
        least_ += sum_ * sum_ - difference_ * difference_;                                                       \
        z = (f8)((u8)GREATER(least_, (f8){0}) | (((u8)(x) ^ (u8)(y)) & SIGN));                 \
    } while (0)
// What bit 0 costs a path at LLR x; for bit 1, at -x.
#define POLAR_COST(x, cost)                                                                                      \
    do {                                                                                                         \
        f8 root_ = SOFTNESS_ROOT(MAGNITUDE(x));                                                                  \
        root_ *= root_;                                                                                          \
        cost = root_ * root_ - LESSER(x, (f8){0});                                            \
    } while (0)

CLONES
void nbk_polar_f(const float *a, const float *b, float *out, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 x = *(const f8 *)(a + i), y = *(const f8 *)(b + i);
        f8 z;
        POLAR_F(x, y, z);
        *(f8 *)(out + i) = z;
    }
}

CLONES
void nbk_polar_g(const float *a, const float *b, const unsigned *sums, float *out, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        *(f8 *)(out + i) = *(const f8 *)(b + i) + (f8)((u8)*(const f8 *)(a + i) ^ *(const u8 *)(sums + i));
    }
}

CLONES
float nbk_polar_frozen(const float *a, const float *b, float *out, size_t count) {
    f8 sum = {0};
    for (size_t i = 0; i < count; i += 8) {
        f8 x = *(const f8 *)(a + i), y = *(const f8 *)(b + i), z, cost;
        POLAR_F(x, y, z);
        POLAR_COST(z, cost);
        sum += cost;
        *(f8 *)(out + i) = x + y;
    }
    return total(LOW(sum) + HIGH(sum));
}

CLONES
void nbk_polar_penalties(const float *x, size_t count, float *zeros, float *ones) {
    f8 zero = {0}, one = {0};
    for (size_t i = 0; i < count; i += 8) {
        f8 z = *(const f8 *)(x + i), cost;
        POLAR_COST(z, cost);
        zero += cost;
        one += cost + z;
    }
    *zeros = total(LOW(zero) + HIGH(zero));
    *ones = total(LOW(one) + HIGH(one));
}

typedef int i4v __attribute__((vector_size(16), aligned(4)));
#define SELECT(F, I, mask, yes, no) ((F)(((I)(yes) & (mask)) | ((I)(no) & ~(mask))))

/// The two differ in the width of their vectors alone.
#define TRELLIS_STEP(NAME, N, F, I)                                                                              \
    CLONES                                                                                                       \
    float NAME(const float *restrict before, const unsigned char *restrict labels, const float *restrict rows,   \
               size_t states, float *restrict after, unsigned char *restrict choice) {                           \
        F top = (F){0} - 3e38f;                                                                                  \
        const size_t part = states / N;                                                                          \
        for (size_t low = 0; low < part; low++) {                                                                \
            F best = before[low] + *(const F *)(rows + N * labels[low]);                                         \
            I from = {0};                                                                                        \
            for (int p = 1; p < N; p++) {                                                                        \
                size_t s = low + p * part;                                                                       \
                F value = before[s] + *(const F *)(rows + N * labels[s]);                                        \
                I better = (I)(value > best);                                                                    \
                best = SELECT(F, I, better, value, best);                                                        \
                from = SELECT(I, I, better, (I){0} + p, from);                                                   \
            }                                                                                                    \
            *(F *)(after + N * low) = best;                                                                      \
            for (int w = 0; w < N; w++) choice[N * low + w] = (unsigned char)from[w];                            \
            top = SELECT(F, I, (I)(best > top), best, top);                                                      \
        }                                                                                                        \
        float greatest = top[0];                                                                                 \
        for (int w = 1; w < N; w++) greatest = top[w] > greatest ? top[w] : greatest;                            \
        return greatest;                                                                                         \
    }

TRELLIS_STEP(nbk_trellis_step8, 8, f8, i8v)
TRELLIS_STEP(nbk_trellis_step4, 4, f4, i4v)
