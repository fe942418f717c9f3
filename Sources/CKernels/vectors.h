#ifndef NEARBY_VECTORS_H
#define NEARBY_VECTORS_H

// What the kernels are written with: vectors, the attributes that compile a function for several instruction sets, and functions of
// vectors. Vectors are passed by address: as arguments those that the processor may not have would change the calling convention.

#include "kernels.h"

// What chooses a clone runs before the thread sanitizer is ready.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NO_CLONES
#endif
#endif
#if defined(__x86_64__) && !defined(NO_CLONES)
#define CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define CLONES
#endif
// Vectors of 64 bytes as one, where there are any.
#if defined(__x86_64__)
#define WIDE __attribute__((min_vector_width(512)))
#else
#define WIDE
#endif
#define INLINE static inline __attribute__((always_inline))

// Before a loop over floats. ARMv7's vectors take denormal numbers as 0, so that there the compiler asks for leave.
#if defined(__arm__)
#define VECTORISED _Pragma("clang loop vectorize(enable)")
#else
#define VECTORISED
#endif

// Sums may be reordered and products fused: order is no part of what these promise.
#pragma clang fp reassociate(on) contract(fast)

typedef float f4 __attribute__((vector_size(16), aligned(4)));
typedef float f8 __attribute__((vector_size(32), aligned(4)));
typedef int i8 __attribute__((vector_size(32), aligned(4), may_alias));
#define LOW(v) __builtin_shufflevector(v, v, 0, 1, 2, 3)
#define HIGH(v) __builtin_shufflevector(v, v, 4, 5, 6, 7)
#define LOW8(v) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH8(v) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)

typedef int i8v __attribute__((vector_size(32), aligned(4)));
typedef float f2 __attribute__((vector_size(8), aligned(4)));
typedef float f16 __attribute__((vector_size(64), aligned(4)));
typedef int i16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef _Bool b16 __attribute__((ext_vector_type(16)));

/// Where a mask is set one value, elsewhere another.
#define CHOOSE(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

/// The greater, or lesser, of each two floats: one instruction, as nothing is said of what is no number.
#define GREATER(a, b) PICKED(a, >, b)
#define LESSER(a, b) PICKED(a, <, b)
#define PICKED(a, is, b)                                                                                      \
    ({                                                                                                        \
        __typeof__(a) picked_a_ = (a), picked_b_ = (b);                                                       \
        __typeof__(picked_a_ is picked_b_) picked_mask_ = picked_a_ is picked_b_;                             \
        (__typeof__(a))CHOOSE(                                                                                \
            picked_mask_, (__typeof__(picked_mask_))picked_a_, (__typeof__(picked_mask_))picked_b_);          \
    })

/// The greatest of a vector of eight.
#define GREATEST(v)                                                                                           \
    ({                                                                                                        \
        f4 half_ = GREATER(LOW(v), HIGH(v));                                                                  \
        half_ = GREATER(half_, __builtin_shufflevector(half_, half_, 2, 3, 0, 1));                            \
        half_[0] > half_[1] ? half_[0] : half_[1];                                                            \
    })

INLINE float total(f4 v) { return v[0] + v[1] + v[2] + v[3]; }

/// The totals of four vectors of eight.
#define TOTALS(a, b, c, d)                                                                                    \
    ({                                                                                                        \
        f4 ab_ = PAIRS(LOW(a) + HIGH(a), LOW(b) + HIGH(b)), cd_ = PAIRS(LOW(c) + HIGH(c), LOW(d) + HIGH(d));  \
        PAIRS(ab_, cd_);                                                                                      \
    })
/// The sums of neighbours: of two in a, two in b.
#define PAIRS(a, b)                                                                                           \
    ({                                                                                                        \
        f4 pairs_a_ = (a), pairs_b_ = (b);                                                                    \
        __builtin_shufflevector(pairs_a_, pairs_b_, 0, 2, 4, 6) + __builtin_shufflevector(pairs_a_, pairs_b_, 1, 3, 5, 7); \
    })

/// Eight rows of eight: rows become columns.
INLINE void transpose(f8 *a) {
    f8 b[8];
    for (int k = 0; k < 8; k += 2) {
        b[k] = __builtin_shufflevector(a[k], a[k + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        b[k + 1] = __builtin_shufflevector(a[k], a[k + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int k = 0; k < 8; k += k & 1 ? 3 : 1) {
        a[k] = __builtin_shufflevector(b[k], b[k + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        a[k + 2] = __builtin_shufflevector(b[k], b[k + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    for (int k = 0; k < 4; k++) {
        b[k] = __builtin_shufflevector(a[k], a[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        b[k + 4] = __builtin_shufflevector(a[k], a[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    for (int k = 0; k < 8; k++) a[k] = b[k];
}

/// e^x, to two units in the last place; x is held between −87 and 88. Method and polynomial: S. Moshier, Cephes, expf.
INLINE void exact_exp(f8 *in) {
#pragma clang fp reassociate(off)
    // Added to this, a number loses its fraction, and what is left of it stands in the last bits.
    const float rounder = 12582912.0f;
    f8 x = LESSER(GREATER(*in, (f8){0} - 87.0f), (f8){0} + 88.0f);
    f8 shifted = x * 1.44269504f + rounder, whole = shifted - rounder;
    f8 r = x - whole * 0.693359375f - whole * -2.12194440e-4f;
    f8 p = r * 1.9875691500e-4f + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    *in = p * (f8)(((i8v)shifted - 0x4b400000 + 127) << 23);
}

/// ln x of positive x that is not denormal, to two units in the last place. Method and polynomial: S. Moshier, Cephes, logf.
INLINE void exact_log(f8 *in) {
#pragma clang fp reassociate(off)
    const i8v x = (i8v)*in;
    // Between √½ and √2.
    i8v exponent = (x - 0x3f3504f3) >> 23;
    f8 m = (f8)(x - (exponent << 23)) - 1.0f, n = __builtin_convertvector(exponent, f8), square = m * m;
    f8 p = m * 7.0376836292e-2f - 1.1514610310e-1f;
    p = p * m + 1.1676998740e-1f;
    p = p * m - 1.2420140846e-1f;
    p = p * m + 1.4249322787e-1f;
    p = p * m - 1.6668057665e-1f;
    p = p * m + 2.0000714765e-1f;
    p = p * m - 2.4999993993e-1f;
    p = p * m + 3.3333331174e-1f;
    f8 rest = p * m * square + n * -2.12194440e-4f - 0.5f * square;
    *in = m + rest + n * 0.693359375f;
}

/// cos x and sin x of |x| < 8192, to two units in the last place of 1. Method and polynomials: S. Moshier, Cephes, sinf.
INLINE void exact_turn(const f8 *x, f8 *cosine, f8 *sine) {
#pragma clang fp reassociate(off)
    const float rounder = 12582912.0f;
    f8 shifted = *x * 0.636619772f + rounder, quarters = shifted - rounder;
    f8 r = *x - quarters * 1.5703125f - quarters * 4.837512969970703e-4f - quarters * 7.549789954891e-8f, z = r * r;
    f8 s = z * -1.9515295891e-4f + 8.3321608736e-3f;
    s = (s * z - 1.6666654611e-1f) * z * r + r;
    f8 c = z * 2.443315711809948e-5f - 1.388731625493765e-3f;
    c = (c * z + 4.166664568298827e-2f) * (z * z) - 0.5f * z + 1.0f;
    i8v quarter = (i8v)shifted, is_odd = -(quarter & 1);
    i8v swapped = ((i8v)s & is_odd) | ((i8v)c & ~is_odd), other = ((i8v)c & is_odd) | ((i8v)s & ~is_odd);
    *cosine = (f8)(swapped ^ (((quarter + 1) & 2) << 30));
    *sine = (f8)(other ^ ((quarter & 2) << 30));
}

#endif
