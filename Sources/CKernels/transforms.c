#include "vectors.h"

// Fourier passes: four complex values in a vector.
typedef double d4 __attribute__((vector_size(32), aligned(4), may_alias));
#define SWAPPED(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6)

/// v · (re + j im), one factor for all.
INLINE void turn(f8 *v, float re, float im) {
    const f8 alternate = {-1, 1, -1, 1, -1, 1, -1, 1};
    *v = *v * re + SWAPPED(*v) * (alternate * im);
}

/// v · w, value by value; w's imaginary parts times `sign`.
INLINE void turn_each(f8 *v, const f8 *w, float sign) {
    const f8 alternate = {-1, 1, -1, 1, -1, 1, -1, 1};
    f8 re = __builtin_shufflevector(*w, *w, 0, 0, 2, 2, 4, 4, 6, 6);
    f8 im = __builtin_shufflevector(*w, *w, 1, 1, 3, 3, 5, 5, 7, 7);
    *v = *v * re + SWAPPED(*v) * (alternate * sign * im);
}

/// A transform of four, value by value; b − d is turned by j · sign.
INLINE void four(f8 *a, f8 *b, f8 *c, f8 *d, float sign) {
    f8 even = *a + *c, odd = *a - *c, sum = *b + *d, difference = *b - *d;
    turn(&difference, 0, sign);
    *a = even + sum;
    *b = odd + difference;
    *c = even - sum;
    *d = odd - difference;
}

/// out[4 i + r] of four vectors r whose values are i.
INLINE void store_columns(const f8 *a, const f8 *b, const f8 *c, const f8 *d, float *out) {
    d4 ab0 = __builtin_shufflevector((d4)*a, (d4)*b, 0, 4, 2, 6), ab1 = __builtin_shufflevector((d4)*a, (d4)*b, 1, 5, 3, 7);
    d4 cd0 = __builtin_shufflevector((d4)*c, (d4)*d, 0, 4, 2, 6), cd1 = __builtin_shufflevector((d4)*c, (d4)*d, 1, 5, 3, 7);
    *(d4 *)out = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    *(d4 *)(out + 8) = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    *(d4 *)(out + 16) = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    *(d4 *)(out + 24) = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

CLONES
void nbk_fourier_first4(const float *x, const float *turns, size_t blocks, float sign, float *out) {
    for (size_t j = 0; j < blocks; j += 4) {
        f8 a = *(const f8 *)(x + 2 * j), b = *(const f8 *)(x + 2 * (j + blocks));
        f8 c = *(const f8 *)(x + 2 * (j + 2 * blocks)), d = *(const f8 *)(x + 2 * (j + 3 * blocks));
        four(&a, &b, &c, &d, sign);
        turn_each(&b, (const f8 *)(turns + 2 * j), sign);
        turn_each(&c, (const f8 *)(turns + 2 * (j + blocks)), sign);
        turn_each(&d, (const f8 *)(turns + 2 * (j + 2 * blocks)), sign);
        store_columns(&a, &b, &c, &d, out + 8 * j);
    }
}

CLONES
void nbk_fourier_pass4(const float *x, const float *turns, size_t blocks, size_t width, float sign, float *out) {
    size_t row = 2 * width, quarter = row * blocks;
    for (size_t j = 0; j < blocks; j++) {
        const float *from = x + row * j, *w1 = turns + 2 * j, *w2 = w1 + 2 * blocks, *w3 = w2 + 2 * blocks;
        float *to = out + 4 * row * j;
        for (size_t q = 0; q < row; q += 8) {
            f8 a = *(const f8 *)(from + q), b = *(const f8 *)(from + quarter + q);
            f8 c = *(const f8 *)(from + 2 * quarter + q), d = *(const f8 *)(from + 3 * quarter + q);
            four(&a, &b, &c, &d, sign);
            *(f8 *)(to + q) = a;
            turn(&b, w1[0], sign * w1[1]);
            turn(&c, w2[0], sign * w2[1]);
            turn(&d, w3[0], sign * w3[1]);
            *(f8 *)(to + row + q) = b;
            *(f8 *)(to + 2 * row + q) = c;
            *(f8 *)(to + 3 * row + q) = d;
        }
    }
}

CLONES
void nbk_fourier_pass2(const float *restrict x, const float *turns, size_t blocks, size_t width, float sign,
                       float *restrict out) {
    size_t row = 2 * width, half = row * blocks;
    for (size_t j = 0; j < blocks; j++) {
        float re = turns[2 * j], im = sign * turns[2 * j + 1];
        const float *from = x + row * j;
        float *to = out + 2 * row * j;
        for (size_t q = 0; q < row; q += 2) {
            float ar = from[q], ai = from[q + 1], br = from[half + q], bi = from[half + q + 1];
            float dr = ar - br, di = ai - bi;
            to[q] = ar + br;
            to[q + 1] = ai + bi;
            to[row + q] = dr * re - di * im;
            to[row + q + 1] = dr * im + di * re;
        }
    }
}

CLONES
void nbk_fourier_pass(const float *restrict x, const float *turns, const float *roots, size_t radix, size_t blocks,
                      size_t width, float sign, float *restrict out) {
    size_t row = 2 * width, part = row * blocks;
    for (size_t j = 0; j < blocks; j++)
        for (size_t r = 0; r < radix; r++) {
            float wr = 1, wi = 0;
            if (r > 0) {
                wr = turns[2 * (j + (r - 1) * blocks)];
                wi = sign * turns[2 * (j + (r - 1) * blocks) + 1];
            }
            float *to = out + row * (radix * j + r);
            for (size_t q = 0; q < row; q += 2) {
                float re = 0, im = 0;
                for (size_t k = 0, root = 0; k < radix; k++) {
                    const float *value = x + part * k + row * j + q;
                    float cr = roots[2 * root], ci = sign * roots[2 * root + 1];
                    re += value[0] * cr - value[1] * ci;
                    im += value[0] * ci + value[1] * cr;
                    // k r modulo the radix, without a division, which ARMv7 has not.
                    root += r;
                    if (root >= radix) root -= radix;
                }
                to[q] = re * wr - im * wi;
                to[q + 1] = re * wi + im * wr;
            }
        }
}
