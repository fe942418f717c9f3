#include "vectors.h"

// Samples: taken to the band, turned, read between, their powers and tones.

/// The totals of one or two complex outputs, summed in vectors.
INLINE void store_totals(const f8 *re, const f8 *im, int are_two, float *out) {
    f4 both = TOTALS(re[0], im[0], re[are_two], im[are_two]);
    if (are_two) *(f4 *)out = both;
    else *(f2 *)out = __builtin_shufflevector(both, both, 0, 1);
}

// Three outputs at a time, with which a tap that has been loaded is multiplied.
#define DECIMATED_AT_ONCE 3

INLINE void decimate(const float *x, const float *taps, const float *turn_re, const float *turn_im, int count,
                     float *out) {
    f8 sums[DECIMATED_AT_ONCE][5] = {{{0}}};
    for (size_t k = 0; k < 240; k += 40) {
        for (int part = 0; part < 5; part++) {
            f8 tap = *(const f8 *)(taps + k + 8 * part);
            for (int m = 0; m < count; m++) sums[m][part] += *(const f8 *)(x + 20 * m + k + 8 * part) * tap;
        }
    }
    f8 re[DECIMATED_AT_ONCE] = {{0}}, im[DECIMATED_AT_ONCE] = {{0}};
    for (int m = 0; m < count; m++) {
        for (int part = 0; part < 5; part++) {
            re[m] += sums[m][part] * *(const f8 *)(turn_re + 8 * part);
            im[m] += sums[m][part] * *(const f8 *)(turn_im + 8 * part);
        }
    }
    for (int m = 0; m < count; m += 2) store_totals(re + m, im + m, m + 1 < count, out + 2 * m);
}

CLONES
void nbk_decimate(const float *x, const float *taps, const float *turn_re, const float *turn_im, size_t count,
                  float *out) {
    size_t m = 0;
    for (; m + DECIMATED_AT_ONCE <= count; m += DECIMATED_AT_ONCE)
        decimate(x + 20 * m, taps, turn_re, turn_im, DECIMATED_AT_ONCE, out + 2 * m);
    for (; m < count; m++) decimate(x + 20 * m, taps, turn_re, turn_im, 1, out + 2 * m);
}

CLONES
void nbk_complex_multiply(const float *restrict a, const float *restrict b, float *restrict out, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        out[2 * i] = re;
        out[2 * i + 1] = im;
    }
}

CLONES
void nbk_complex_multiply_add(const float *restrict a, const float *restrict b, float *restrict out, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        out[2 * i] += re;
        out[2 * i + 1] += im;
    }
}

CLONES
void nbk_complex_scale(const float *restrict z, const float *restrict gains, float *restrict out, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = z[2 * i] * gains[i];
        out[2 * i + 1] = z[2 * i + 1] * gains[i];
    }
}

CLONES
void nbk_add(float *restrict x, const float *restrict y, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) x[i] += y[i];
}

CLONES
void nbk_subtract(float *restrict x, const float *restrict y, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) x[i] -= y[i];
}

CLONES
float nbk_powers(const float *restrict z, float *restrict powers, size_t count) {
    float sum = 0;
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float power = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];
        powers[i] = power;
        sum += power;
    }
    return sum;
}

CLONES
float nbk_dot(const float *restrict x, const float *restrict y, size_t count) {
    float sum = 0;
    VECTORISED
    for (size_t i = 0; i < count; i++) sum += x[i] * y[i];
    return sum;
}

CLONES
void nbk_row_energies(const float *x, size_t row, size_t count, float *energies) {
    for (size_t r = 0; r < count; r++, x += row) {
        f4 sum = {0};
        size_t i = 0;
        for (; i + 4 <= row; i += 4) sum += *(const f4 *)(x + i) * *(const f4 *)(x + i);
        float rest = 0;
        for (; i < row; i++) rest += x[i] * x[i];
        energies[r] = total(sum) + rest;
    }
}

CLONES
void nbk_step_medians(float *restrict medians, const float *restrict values, float scale, float up, float down, float low,
                      float high, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float moved = medians[i] * (values[i] * scale > medians[i] ? up : down);
        moved = moved > low ? moved : low;
        medians[i] = moved < high ? moved : high;
    }
}

CLONES
void nbk_scale_clip(float *x, float scale, float ceiling, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float scaled = x[i] * scale;
        x[i] = scaled < ceiling ? scaled : ceiling;
    }
}

CLONES
void nbk_dot_rows(const float *restrict rows, size_t count, const float *restrict x, float *restrict out) {
    f8 v[8];
    for (int part = 0; part < 8; part++) v[part] = *(const f8 *)(x + 8 * part);
    for (size_t r = 0; r < count; r++, rows += 64) {
        f8 a = {0}, b = {0};
        for (int part = 0; part < 8; part += 2) {
            a += v[part] * *(const f8 *)(rows + 8 * part);
            b += v[part + 1] * *(const f8 *)(rows + 8 * part + 8);
        }
        f8 both = a + b;
        out[r] = total(LOW(both) + HIGH(both));
    }
}

typedef double d4 __attribute__((vector_size(32), aligned(8)));

/// The first four of `left` complex samples, or all of fewer, each by its own factor.
INLINE void turn_four(float *x, size_t left, const d4 *re, const d4 *im) {
    f4 r = __builtin_convertvector(*re, f4), t = __builtin_convertvector(*im, f4);
    f8 same = __builtin_shufflevector(r, r, 0, 0, 1, 1, 2, 2, 3, 3);
    f8 cross = __builtin_shufflevector(t, -t, 4, 0, 5, 1, 6, 2, 7, 3);
    f8 z = {0};
    if (left < 4) {
        for (size_t k = 0; k < 2 * left; k++) z[k] = x[k];
    } else {
        z = *(const f8 *)x;
    }
    z = z * same + __builtin_shufflevector(z, z, 1, 0, 3, 2, 5, 4, 7, 6) * cross;
    if (left < 4) {
        for (size_t k = 0; k < 2 * left; k++) x[k] = z[k];
    } else {
        *(f8 *)x = z;
    }
}

CLONES
void nbk_rotate(float *samples, size_t count, const double *turn, double step_re, double step_im) {
    d4 re = *(const d4 *)turn, im = *(const d4 *)(turn + 4);
    for (size_t i = 0; i < count; i += 4) {
        turn_four(samples + 2 * i, count - i, &re, &im);
        d4 next = re * step_re - im * step_im;
        im = re * step_im + im * step_re;
        re = next;
    }
}

CLONES
void nbk_turn(float *samples, size_t count, double phase_re, double phase_im, const double *turn_re, const double *turn_im) {
    for (size_t i = 0; i < count; i += 4) {
        d4 r = *(const d4 *)(turn_re + i), t = *(const d4 *)(turn_im + i);
        d4 re = phase_re * r - phase_im * t, im = phase_re * t + phase_im * r;
        turn_four(samples + 2 * i, count - i, &re, &im);
    }
}

CLONES
void nbk_read_fractional(const float *restrict samples, const float *restrict filters, double position, double step,
                         size_t first, size_t last, float *restrict out) {
    for (size_t m = first; m < last; m++) {
        // In 32nds of a sample, rounded.
        long place = (long)((position + (double)m * step) * 32 + 0.5);
        const float *x = samples + 2 * ((place >> 5) - 5), *h = filters + 24 * (place & 31);
        f8 sum = {0};
        for (int part = 0; part < 24; part += 8) sum += *(const f8 *)(x + part) * *(const f8 *)(h + part);
        f4 half = LOW(sum) + HIGH(sum);
        out[2 * m] = half[0] + half[2];
        out[2 * m + 1] = half[1] + half[3];
    }
}

// Outputs with which a tap that has been loaded is multiplied.
INLINE void downconvert(const float *x, size_t factor, const float *taps_re, const float *taps_im, size_t taps, int count,
                        float *out) {
    f16 re[2] = {{0}}, im[2] = {{0}};
    for (size_t k = 0; k < taps; k += 16) {
        f16 tap_re = *(const f16 *)(taps_re + k), tap_im = *(const f16 *)(taps_im + k);
        for (int m = 0; m < count; m++) {
            f16 v = *(const f16 *)(x + (size_t)m * factor + k);
            re[m] += v * tap_re;
            im[m] += v * tap_im;
        }
    }
    f8 re8[2], im8[2];
    for (int m = 0; m < count; m++) {
        re8[m] = LOW8(re[m]) + HIGH8(re[m]);
        im8[m] = LOW8(im[m]) + HIGH8(im[m]);
    }
    store_totals(re8, im8, count == 2, out);
}

CLONES WIDE
void nbk_downconvert(const float *restrict x, size_t factor, const float *restrict taps_re, const float *restrict taps_im,
                     size_t taps, float *restrict out, size_t count) {
    size_t m = 0;
    for (; m + 2 <= count; m += 2) downconvert(x + m * factor, factor, taps_re, taps_im, taps, 2, out + 2 * m);
    for (; m < count; m++) downconvert(x + m * factor, factor, taps_re, taps_im, taps, 1, out + 2 * m);
}

CLONES
void nbk_copy_sane(const float *restrict x, size_t count, float least, float most, float *restrict out) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float magnitude = __builtin_fabsf(x[i]);
        out[i] = ((magnitude >= least) & (magnitude <= most)) ? x[i] : 0;
    }
}

CLONES
void nbk_quantize(const float *restrict x, float gain, int16_t *restrict out, size_t count) {
    VECTORISED
    for (size_t i = 0; i < count; i++) {
        float level = x[i] * gain;
        level = level >= -1 ? level : -1;
        level = level <= 1 ? level : 1;
        // Positive, so that cutting off the fraction rounds down.
        out[i] = (int16_t)((int32_t)(level * 32767 + 32768.5f) - 32768);
    }
}

// Bits of floats that are not negative are in the order of the floats.
CLONES
uint32_t nbk_largest_magnitude(const float *x, size_t count) {
    int32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        __builtin_memcpy(&bits, x + i, sizeof bits);
        bits &= INT32_MAX;
        largest = bits > largest ? bits : largest;
    }
    return (uint32_t)largest;
}

INLINE void goertzel(const float *x, size_t stride, size_t count, const float *coefficient, int vectors, float *last,
                     float *before) {
    f8 c[4], s1[4] = {{0}}, s2[4] = {{0}};
    for (int v = 0; v < vectors; v++) c[v] = *(const f8 *)(coefficient + 8 * v);
    for (size_t n = 0; n < count; n++) {
        float sample = x[n * stride];
        for (int v = 0; v < vectors; v++) {
            // What waits for the last product is one fused step.
            f8 s0 = c[v] * s1[v] + (sample - s2[v]);
            s2[v] = s1[v];
            s1[v] = s0;
        }
    }
    for (int v = 0; v < vectors; v++) {
        *(f8 *)(last + 8 * v) = s1[v];
        *(f8 *)(before + 8 * v) = s2[v];
    }
}

CLONES
void nbk_goertzel(const float *x, size_t stride, size_t count, const float *coefficient, size_t bins, float *last,
                  float *before) {
    size_t bin = 0;
    // Four vectors side by side: one alone would wait for itself.
    for (; bin + 32 <= bins; bin += 32)
        goertzel(x, stride, count, coefficient + bin, 4, last + bin, before + bin);
    for (; bin + 16 <= bins; bin += 16)
        goertzel(x, stride, count, coefficient + bin, 2, last + bin, before + bin);
    for (; bin < bins; bin += 8) goertzel(x, stride, count, coefficient + bin, 1, last + bin, before + bin);
}
