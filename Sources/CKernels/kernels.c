#include "kernels.h"

#include <limits.h>

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

/// Where a mask is set one value, elsewhere another.
#define CHOOSE(mask, yes, no) (((yes) & (mask)) | ((no) & ~(mask)))

INLINE float total(f4 v) { return v[0] + v[1] + v[2] + v[3]; }

/// e^x, to two units in the last place; x is held between −87 and 88. Method and polynomial: S. Moshier, Cephes, expf.
INLINE void exact_exp(f8 *in) {
#pragma clang fp reassociate(off)
    // Added to this, a number loses its fraction, and what is left of it stands in the last bits.
    const float rounder = 12582912.0f;
    f8 x = __builtin_elementwise_min(__builtin_elementwise_max(*in, (f8){0} - 87.0f), (f8){0} + 88.0f);
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

CLONES
void nbk_decimate(const float *x, const float *taps, const float *turn_re, const float *turn_im, size_t count,
                  float *out) {
    for (size_t m = 0; m < count; m++, x += 20) {
        // Twenty lanes: the taps repeat their turn every twenty.
        f8 a = {0}, b = {0};
        f4 c = {0};
        for (size_t k = 0; k < 240; k += 20) {
            a += *(const f8 *)(x + k) * *(const f8 *)(taps + k);
            b += *(const f8 *)(x + k + 8) * *(const f8 *)(taps + k + 8);
            c += *(const f4 *)(x + k + 16) * *(const f4 *)(taps + k + 16);
        }
        f8 re = a * *(const f8 *)turn_re + b * *(const f8 *)(turn_re + 8);
        f8 im = a * *(const f8 *)turn_im + b * *(const f8 *)(turn_im + 8);
        f4 re4 = LOW(re) + HIGH(re) + c * *(const f4 *)(turn_re + 16);
        f4 im4 = LOW(im) + HIGH(im) + c * *(const f4 *)(turn_im + 16);
        f4 sums = __builtin_shufflevector(re4, im4, 0, 2, 4, 6) + __builtin_shufflevector(re4, im4, 1, 3, 5, 7);
        out[2 * m] = sums[0] + sums[1];
        out[2 * m + 1] = sums[2] + sums[3];
    }
}

CLONES
void nbk_complex_multiply(const float *restrict a, const float *restrict b, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        out[2 * i] = re;
        out[2 * i + 1] = im;
    }
}

CLONES
void nbk_complex_multiply_add(const float *restrict a, const float *restrict b, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
        float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
        out[2 * i] += re;
        out[2 * i + 1] += im;
    }
}

CLONES
float nbk_powers(const float *restrict z, float *restrict powers, size_t count) {
    float sum = 0;
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
    for (size_t i = 0; i < count; i++) sum += x[i] * y[i];
    return sum;
}

CLONES
void nbk_scale_clip(float *x, float scale, float ceiling, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float scaled = x[i] * scale;
        x[i] = scaled < ceiling ? scaled : ceiling;
    }
}

CLONES WIDE
void nbk_joint_sums(const float *restrict newest, const ptrdiff_t *offsets, const uint8_t *is_first, size_t kinds,
                    float gain, float least, float *restrict best, int32_t *restrict which, size_t count) {
    for (size_t i = 0; i < count; i += 16) {
        const float *x = newest + i;
        f16 own = *(const f16 *)x, alone = own + gain, greatest = (f16){0} + least, sum = own;
        i16 kind = {0};
        for (size_t k = 0; k < kinds; k++) {
            sum = (is_first[k] ? own : sum) + *(const f16 *)(x + offsets[k]);
            i16 is_best = (sum > alone) & (sum > greatest);
            kind = CHOOSE(is_best, (i16){0} + (int)k, kind);
            greatest = (f16)CHOOSE(is_best, (i16)sum, (i16)greatest);
        }
        *(f16 *)(best + i) = greatest;
        *(i16 *)(which + i) = kind;
    }
}

CLONES
void nbk_wide_gamma_nats(const float *restrict x, float shape, float *restrict nats, size_t count) {
    const float scale = 3 * __builtin_sqrtf(shape), share = 1 / (9 * shape);
    for (size_t i = 0; i < count; i += 8) {
        // Of less than a millionth of the mean no more is known than that.
        f8 root = __builtin_elementwise_max(*(const f8 *)(x + i) / shape, (f8){0} + 1e-6f);
        exact_log(&root);
        root *= 1.0f / 3;
        exact_exp(&root);
        f8 z = __builtin_elementwise_max(scale * (root - 1.0f + share), (f8){0}), edge = 2.5066f * (z + 1.0f);
        exact_log(&edge);
        *(f8 *)(nats + i) = (f8)((i8v)(0.5f * z * z + edge) & (i8v)(z > 0.0f));
    }
}

CLONES
void nbk_exps(const float *restrict x, float greatest, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 v = __builtin_elementwise_min(*(const f8 *)(x + i), (f8){0} + greatest);
        exact_exp(&v);
        *(f8 *)(out + i) = v;
    }
}

CLONES
void nbk_logs(const float *restrict x, float gain, float least, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 v = *(const f8 *)(x + i) * gain + least;
        exact_log(&v);
        *(f8 *)(out + i) = v;
    }
}

CLONES
void nbk_transpose(const float *restrict rows, size_t stride, size_t row_count, size_t columns, float *restrict out,
                   size_t out_stride) {
    size_t c = 0;
    for (; c + 8 <= columns; c += 8) {
        size_t r = 0;
        for (; r + 8 <= row_count; r += 8) {
            f8 a[8], b[8];
            for (int k = 0; k < 8; k++) a[k] = *(const f8 *)(rows + (r + k) * stride + c);
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
            for (int k = 0; k < 8; k++) *(f8 *)(out + (c + k) * out_stride + r) = b[k];
        }
        for (; r < row_count; r++)
            for (int k = 0; k < 8; k++) out[(c + k) * out_stride + r] = rows[r * stride + c + k];
    }
    for (; c < columns; c++)
        for (size_t r = 0; r < row_count; r++) out[c * out_stride + r] = rows[r * stride + c];
}

CLONES
void nbk_look_up(const float *restrict x, const float *restrict gains, float scale, float greatest, float per,
                 const float *restrict pairs, float *restrict first, float *restrict second, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 value = *(const f8 *)(x + i) * scale * *(const f8 *)(gains + i);
        value = __builtin_elementwise_min(value, (f8){0} + greatest);
        i8v place = __builtin_convertvector(value * per + 0.5f, i8v);
        f4 both[4];
        for (int k = 0; k < 4; k++) {
            f2 a = *(const f2 *)(pairs + 2 * place[2 * k]), b = *(const f2 *)(pairs + 2 * place[2 * k + 1]);
            both[k] = __builtin_shufflevector(a, b, 0, 1, 2, 3);
        }
        f8 low = __builtin_shufflevector(both[0], both[1], 0, 2, 4, 6, 1, 3, 5, 7);
        f8 high = __builtin_shufflevector(both[2], both[3], 0, 2, 4, 6, 1, 3, 5, 7);
        *(f8 *)(first + i) = __builtin_shufflevector(low, high, 0, 1, 2, 3, 8, 9, 10, 11);
        *(f8 *)(second + i) = __builtin_shufflevector(low, high, 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

CLONES
void nbk_slide_logs(float *restrict sums, const float *restrict next, const float *restrict last, float share,
                    float least, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 *sum = (f8 *)(sums + i);
        f8 mean = __builtin_elementwise_max(*sum, (f8){0} + least) * share;
        exact_log(&mean);
        *(f8 *)(out + i) = mean;
        *sum += *(const f8 *)(next + i) - *(const f8 *)(last + i);
    }
}

CLONES
void nbk_spread(const float *restrict columns, size_t stride, const float *restrict scale, const float *restrict gains,
                const float *restrict weights, size_t windows, size_t window_steps, float greatest, float constant,
                float *restrict ratios, size_t ratio_stride, float *restrict votes, size_t count) {
    enum { TONES = 64, REACH = 8 };
    for (size_t i = 0; i < count; i += 8) {
        f8 sums[TONES], energies[TONES + REACH];
        const f8 gain = *(const f8 *)(gains + i);
        for (int tone = 0; tone < TONES; tone++) sums[tone] = (f8){0} - constant;
        for (size_t w = 0; w < windows; w++) {
            const float *x = columns + i + w * window_steps;
            f8 sum = {0};
            for (int place = 0; place < TONES + REACH; place++) {
                f8 energy = *(const f8 *)(x + 2 * (size_t)place * stride) * scale[2 * place] * gain;
                energies[place] = weights[w] * __builtin_elementwise_min(energy, (f8){0} + greatest);
            }
            for (int place = 0; place < REACH; place++) sum += energies[place];
            for (int tone = 0; tone < TONES; tone++) {
                sum += energies[tone + REACH];
                sums[tone] += sum;
                sum -= energies[tone];
            }
        }
        f8 most = sums[0], likelihood = {0};
        for (int tone = 1; tone < TONES; tone++) most = __builtin_elementwise_max(most, sums[tone]);
        for (int tone = 0; tone < TONES; tone++) {
            *(f8 *)(ratios + (size_t)tone * ratio_stride + i) = sums[tone];
            f8 share = sums[tone] - most;
            exact_exp(&share);
            likelihood += share;
        }
        likelihood *= 1.0f / TONES;
        exact_log(&likelihood);
        *(f8 *)(votes + i) = most + likelihood;
    }
}

CLONES WIDE
void nbk_sum_rows(const float *restrict base, const ptrdiff_t *restrict offsets, size_t rows, float *restrict out,
                  size_t count) {
    size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        f16 sum[4] = {{0}};
        for (size_t row = 0; row < rows; row++) {
            const float *x = base + offsets[row] + i;
            for (int part = 0; part < 4; part++) sum[part] += *(const f16 *)(x + 16 * part);
        }
        for (int part = 0; part < 4; part++) *(f16 *)(out + i + 16 * part) = sum[part];
    }
    for (; i + 16 <= count; i += 16) {
        f16 sum = {0};
        for (size_t row = 0; row < rows; row++) sum += *(const f16 *)(base + offsets[row] + i);
        *(f16 *)(out + i) = sum;
    }
    for (; i < count; i++) {
        float sum = 0;
        for (size_t row = 0; row < rows; row++) sum += base[offsets[row] + (ptrdiff_t)i];
        out[i] = sum;
    }
}

/// S_t of each third, into re and im.
INLINE void thirds(const float *values, const ptrdiff_t *offsets, const float *turns, size_t per_third, f8 *re, f8 *im) {
    // Parts of turns side by side, times the real part of values, and times the imaginary one; thirds do not wait for each other.
    f16 real[3] = {{0}}, imaginary[3] = {{0}};
    for (size_t k = 0; k < per_third; k++) {
        for (size_t t = 0; t < 3; t++) {
            const float *value = values + 2 * offsets[t * per_third + k];
            f16 turn = *(const f16 *)(turns + 16 * (t * per_third + k));
            real[t] += turn * value[0];
            imaginary[t] += turn * value[1];
        }
    }
    for (size_t t = 0; t < 3; t++) {
        f16 x = imaginary[t], crossed = __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
        f16 less = real[t] - crossed, more = real[t] + crossed;
        re[t] = LOW8(less);
        im[t] = HIGH8(more);
    }
}

INLINE void group_powers(const float *values, const ptrdiff_t *offsets, const float *turns, size_t per_third,
                         int shift, float gain, float *out, size_t stride, int adds) {
    f8 re[3], im[3];
    thirds(values, offsets, turns, per_third, re, im);
    for (int p = 0; p < 4; p++) {
        f8 sum_re = p < 2 ? re[0] + re[1] : re[0] - re[1];
        f8 sum_im = p < 2 ? im[0] + im[1] : im[0] - im[1];
        sum_re = p & 1 ? sum_re - re[2] : sum_re + re[2];
        sum_im = p & 1 ? sum_im - im[2] : sum_im + im[2];
        f8 power = gain * (sum_re * sum_re + sum_im * sum_im);
        f8 *row = (f8 *)(out + ((size_t)(p - shift) & 3) * stride);
        *row = adds ? *row + power : power;
    }
    f8 thirds = {0};
    for (int t = 0; t < 3; t++) thirds += re[t] * re[t] + im[t] * im[t];
    f8 *row = (f8 *)(out + 4 * stride);
    *row = adds ? *row + gain * thirds : gain * thirds;
}

CLONES WIDE
void nbk_group_powers(const float *values, const ptrdiff_t *offsets, const float *turns, size_t per_third, int shift,
                      float gain, float *out, size_t stride, int adds) {
    if (per_third == 4 && !adds) {  // the usual: without loops
        group_powers(values, offsets, turns, 4, shift, gain, out, stride, 0);
    } else {
        group_powers(values, offsets, turns, per_third, shift, gain, out, stride, adds);
    }
}

INLINE void pattern_powers(const float *values, const ptrdiff_t *starts, size_t count, const ptrdiff_t *offsets,
                           const float *turns, size_t per_third, int pattern, float gain, float *out,
                           size_t stride) {
    for (size_t i = 0; i < count; i++, out += stride) {
        f8 re[3], im[3];
        thirds(values + 2 * starts[i], offsets, turns, per_third, re, im);
        f8 sum_re = pattern >= 2 ? re[0] - re[1] : re[0] + re[1], sum_im = pattern >= 2 ? im[0] - im[1] : im[0] + im[1];
        sum_re = pattern & 1 ? sum_re - re[2] : sum_re + re[2];
        sum_im = pattern & 1 ? sum_im - im[2] : sum_im + im[2];
        *(f8 *)out += gain * (sum_re * sum_re + sum_im * sum_im);
    }
}

CLONES WIDE
void nbk_pattern_powers(const float *values, const ptrdiff_t *starts, size_t count, const ptrdiff_t *offsets,
                        const float *turns, size_t per_third, int pattern, float gain, float *out, size_t stride) {
    if (per_third == 4) {
        pattern_powers(values, starts, count, offsets, turns, 4, pattern, gain, out, stride);
    } else {
        pattern_powers(values, starts, count, offsets, turns, per_third, pattern, gain, out, stride);
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

CLONES
void nbk_rotate(float *samples, size_t count, const double *turn, double step_re, double step_im) {
    d4 re = *(const d4 *)turn, im = *(const d4 *)(turn + 4);
    float last[8] = {0};
    for (size_t i = 0; i < count; i += 4) {
        f4 r = __builtin_convertvector(re, f4), t = __builtin_convertvector(im, f4);
        f8 same = __builtin_shufflevector(r, r, 0, 0, 1, 1, 2, 2, 3, 3);
        f8 cross = __builtin_shufflevector(t, -t, 4, 0, 5, 1, 6, 2, 7, 3);
        size_t left = 2 * (count - i);
        float *x = samples + 2 * i;
        for (size_t k = 0; left < 8 && k < left; k++) last[k] = x[k];
        f8 z = *(const f8 *)(left < 8 ? last : x);
        z = z * same + __builtin_shufflevector(z, z, 1, 0, 3, 2, 5, 4, 7, 6) * cross;
        if (left < 8) {
            for (size_t k = 0; k < left; k++) x[k] = z[k];
        } else {
            *(f8 *)x = z;
        }
        d4 next = re * step_re - im * step_im;
        im = re * step_im + im * step_re;
        re = next;
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

CLONES
size_t nbk_next_above(const float *x, size_t first, size_t count, float threshold) {
    size_t i = first;
    for (; i + 32 <= count; i += 32) {
        i8 any = {0};
        for (int part = 0; part < 4; part++) any |= *(const f8 *)(x + i + 8 * part) > threshold;
        int hit = 0;
        for (int lane = 0; lane < 8; lane++) hit |= any[lane];
        if (hit) break;
    }
    while (i < count && !(x[i] > threshold)) i++;
    return i;
}

CLONES WIDE
size_t nbk_count_below(const float *x, size_t count, float gain, float bound) {
    i16 below = {0};
    for (size_t i = 0; i < count; i += 16) below -= gain * *(const f16 *)(x + i) < bound;
    return (size_t)__builtin_reduce_add(below);
}

CLONES
float nbk_maximum(const float *x, size_t count) {
    f8 greatest = *(const f8 *)x;
    for (size_t i = 8; i < count; i += 8) greatest = __builtin_elementwise_max(*(const f8 *)(x + i), greatest);
    f4 half = __builtin_elementwise_max(LOW(greatest), HIGH(greatest));
    half = __builtin_elementwise_max(half, __builtin_shufflevector(half, half, 2, 3, 0, 1));
    return half[0] > half[1] ? half[0] : half[1];
}

CLONES
float nbk_gathered_power(const float *values, const ptrdiff_t *offsets, size_t count) {
    f4 sums[2] = {{0}};
    size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        for (int half = 0; half < 2; half++) {
            f2 a = *(const f2 *)(values + 2 * offsets[k + 2 * half]), b = *(const f2 *)(values + 2 * offsets[k + 2 * half + 1]);
            f4 both = __builtin_shufflevector(a, b, 0, 1, 2, 3);
            sums[half] += both * both;
        }
    }
    float sum = 0;
    for (; k < count; k++) {
        const float *z = values + 2 * offsets[k];
        sum += z[0] * z[0] + z[1] * z[1];
    }
    return sum + total(sums[0] + sums[1]);
}

size_t nbk_index_of_maximum(const float *x, size_t count) {
    float maximum = nbk_maximum(x, count);
    size_t i = 0;
    while (!(x[i] == maximum) && i + 1 < count) i++;
    return i;
}

CLONES
void nbk_copy_sane(const float *restrict x, size_t count, float limit, float *restrict out) {
    for (size_t i = 0; i < count; i++) out[i] = __builtin_fabsf(x[i]) <= limit ? x[i] : 0;
}

CLONES
void nbk_ranks(const float *rows, size_t row_count, size_t stride, size_t columns, size_t rank, float *values) {
    // What is not negative is in the order of its bits.
    const i8 least = (i8){0} + INT_MIN, greatest = (i8){0} + INT_MAX;
    const i8 place = (i8){0} + (int)rank, all = (i8){0} + (int)row_count;
    for (size_t c = 0; c < columns; c += 8) {
        i8 value = *(const i8 *)(values + c);
        for (;;) {
            // The three that come before it in order, and the three that come after it.
            i8 below = {0}, above = {0}, b0 = least, b1 = least, b2 = least, a0 = greatest, a1 = greatest, a2 = greatest;
            for (size_t r = 0; r < row_count; r++) {
                i8 x = *(const i8 *)(rows + r * stride + c);
                i8 is_less = x < value, is_more = x > value;
                below -= is_less;
                above -= is_more;
                i8 low = CHOOSE(is_less, x, least), high = CHOOSE(is_more, x, greatest), rest;
                rest = __builtin_elementwise_min(b0, low);
                b0 = __builtin_elementwise_max(b0, low);
                b2 = __builtin_elementwise_max(b2, __builtin_elementwise_min(b1, rest));
                b1 = __builtin_elementwise_max(b1, rest);
                rest = __builtin_elementwise_max(a0, high);
                a0 = __builtin_elementwise_min(a0, high);
                a2 = __builtin_elementwise_min(a2, __builtin_elementwise_max(a1, rest));
                a1 = __builtin_elementwise_min(a1, rest);
            }
            // How many places too high or too low it stands.
            i8 down = below - place, up = place + 1 - (all - above);
            value = CHOOSE(down > 0, CHOOSE(down == 1, b0, CHOOSE(down == 2, b1, b2)), value);
            value = CHOOSE(up > 0, CHOOSE(up == 1, a0, CHOOSE(up == 2, a1, a2)), value);
            if (!__builtin_reduce_or((down > 3) | (up > 3))) break;
        }
        *(i8 *)(values + c) = value;
    }
}

CLONES WIDE
void nbk_block_products(const float *a, const float *b, size_t blocks, float *products) {
    for (size_t j = 0; j < blocks; j++, a += 32, b += 32) {
        f16 along = {0}, across = {0};
        for (int part = 0; part < 32; part += 16) {
            f16 x = *(const f16 *)(a + part), y = *(const f16 *)(b + part);
            along += x * y;
            across += x * __builtin_shufflevector(y, y, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
        }
        f8 along8 = LOW8(along) + HIGH8(along), across8 = LOW8(across) + HIGH8(across);
        // along: Re, in two halves; across: −Im where even, +Im where odd.
        f4 re = LOW(along8) + HIGH(along8), im = LOW(across8) + HIGH(across8);
        f4 even = __builtin_shufflevector(re, im, 0, 2, 5, 7);
        f4 odd = __builtin_shufflevector(re, im, 1, 3, 4, 6);
        f4 sums = even + odd * (f4){1, 1, -1, -1};
        products[2 * j] = sums[0] + sums[1];
        products[2 * j + 1] = sums[2] + sums[3];
    }
}

CLONES
void nbk_block_energies(const float *z, size_t blocks, float *energies) {
    for (size_t j = 0; j < blocks; j++, z += 32) {
        f8 energy = {0};
        for (int part = 0; part < 32; part += 8) {
            f8 x = *(const f8 *)(z + part);
            energy += x * x;
        }
        energies[j] += total(LOW(energy) + HIGH(energy));
    }
}

CLONES WIDE
void nbk_doppler_tails(const float *products, size_t blocks, size_t pairs, const float *turn_re,
                       const float *turn_im, float decay, const float *least, float *peaks,
                       unsigned char *places) {
    f16 tails = {0};
    for (size_t j = blocks; j-- > 0;) {
        f16 more = {0};
        tails *= decay;
        for (size_t p = 0; p < pairs; p++) {
            const float *product = products + 2 * (p * blocks + j);
            tails += *(const f16 *)(turn_re + 16 * p) * product[0];
            more += *(const f16 *)(turn_im + 16 * p) * product[1];
        }
        tails -= more;
        f8 both = __builtin_elementwise_max(LOW8(tails), HIGH8(tails));
        f4 half = __builtin_elementwise_max(LOW(both), HIGH(both));
        float peak = half[0];
        for (int i = 1; i < 4; i++) peak = half[i] > peak ? half[i] : peak;
        peaks[j] = peak;
        if (!(peak > least[j])) continue;
        for (int i = 0; i < 16; i++)
            if (tails[i] == peak) places[j] = (unsigned char)i;
    }
}

CLONES
void nbk_rake(const float *re, const float *im, const float *known, const float *energy, const float *load,
              const float *taken_re, const float *taken_im, size_t taps, size_t count, int backward, float decay,
              float *soft) {
    f8 h_re[16], h_im[16], gain[16];
    size_t vectors = taps / 8;
    for (size_t v = 0; v < vectors; v++) h_re[v] = h_im[v] = gain[v] = (f8){0};
    float scale = 1;  // what h is still to be multiplied by: most chips are unknown, and only let it fade
    for (size_t step = 0; step < count; step++) {
        size_t i = backward ? count - 1 - step : step;
        if (step % 8 == 0) {
            for (size_t v = 0; v < vectors; v++) {
                f8 expected = *(const f8 *)(load + 8 * v);
                gain[v] = expected / (1 + expected * energy[i]);
            }
        }
        f8 sum = {0};
        if (known[i] == 0) {
            for (size_t v = 0; v < vectors; v++) {
                f8 y_re = *(const f8 *)(re + i + 8 * v), y_im = *(const f8 *)(im + i + 8 * v);
                sum += gain[v] * (h_re[v] * y_re + h_im[v] * y_im);
            }
        } else {
            float chip = known[i] / scale;
            for (size_t v = 0; v < vectors; v++) {
                f8 y_re = *(const f8 *)(re + i + 8 * v) + known[i] * *(const f8 *)(taken_re + 8 * v);
                f8 y_im = *(const f8 *)(im + i + 8 * v) + known[i] * *(const f8 *)(taken_im + 8 * v);
                sum += gain[v] * (h_re[v] * y_re + h_im[v] * y_im);
                h_re[v] += y_re * chip;
                h_im[v] += y_im * chip;
            }
        }
        soft[i] += scale * total(LOW(sum) + HIGH(sum));
        scale *= decay;
        if (scale < 1e-12f) {  // a long segment
            for (size_t v = 0; v < vectors; v++) {
                h_re[v] *= scale;
                h_im[v] *= scale;
            }
            scale = 1;
        }
    }
}

CLONES
int nbk_tail_peak(const float *x, size_t rows, size_t stride, size_t width, float decay, float gain, float *peak,
                  size_t *row, size_t *column) {
    int found = 0;
    for (size_t first = 0; first < width; first += 8) {
        f8 tail = {0}, best;
        for (int i = 0; i < 8; i++) best[i] = *peak;
        for (size_t r = rows; r-- > 0;) {
            tail = tail * decay + (*(const f8 *)(x + r * stride + first) - 1) * gain;
            i8 above = tail > best;
            int any = 0;
            for (int i = 0; i < 8; i++) any |= above[i];
            if (!any) continue;
            size_t place = 0;
            for (size_t i = 1; i < 8; i++) place = tail[i] > tail[place] ? i : place;
            for (int i = 0; i < 8; i++) best[i] = tail[place];
            *peak = tail[place];
            *row = r;
            *column = first + place;
            found = 1;
        }
    }
    return found;
}

typedef unsigned u8 __attribute__((vector_size(32), aligned(4)));
#define SIGN 0x80000000u

// Macros: vectors this wide are no arguments where the processor may not have them.
#define MAGNITUDE(x) ((f8)((u8)(x) & ~SIGN))
// The fourth root of what stands for ln(1 + e^-x), x not negative.
#define SOFTNESS_ROOT(x) __builtin_elementwise_max(0.91244f - 0.16455f * (x), (f8){0})
#define POLAR_F(x, y, z)                                                                                         \
    do {                                                                                                         \
        f8 a_ = MAGNITUDE(x), b_ = MAGNITUDE(y);                                                                 \
        f8 least_ = __builtin_elementwise_min(a_, b_);                                                           \
        f8 sum_ = SOFTNESS_ROOT(a_ + b_), difference_ = SOFTNESS_ROOT(MAGNITUDE(a_ - b_));                       \
        sum_ *= sum_;                                                                                            \
        difference_ *= difference_;                                                                              \
        least_ += sum_ * sum_ - difference_ * difference_;                                                       \
        z = (f8)((u8)__builtin_elementwise_max(least_, (f8){0}) | (((u8)(x) ^ (u8)(y)) & SIGN));                 \
    } while (0)
// What bit 0 costs a path at LLR x; for bit 1, at -x.
#define POLAR_COST(x, cost)                                                                                      \
    do {                                                                                                         \
        f8 root_ = SOFTNESS_ROOT(MAGNITUDE(x));                                                                  \
        root_ *= root_;                                                                                          \
        cost = root_ * root_ - __builtin_elementwise_min(x, (f8){0});                                            \
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

CLONES
void nbk_turns(const float *restrict x, const float *restrict y, float per_x, float per_y, float *restrict re,
               float *restrict im, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 angle = *(const f8 *)(x + i) * per_x + *(const f8 *)(y + i) * per_y;
        exact_turn(&angle, (f8 *)(re + i), (f8 *)(im + i));
    }
}

CLONES
void nbk_turn_back(const float *restrict re, const float *restrict im, const float *restrict x,
                   const float *restrict y, float per_x, float per_y, float gain, float *restrict out_re,
                   float *restrict out_im, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 angle = *(const f8 *)(x + i) * per_x + *(const f8 *)(y + i) * per_y, c, s;
        exact_turn(&angle, &c, &s);
        f8 a = *(const f8 *)(re + i), b = *(const f8 *)(im + i);
        *(f8 *)(out_re + i) = (a * c + b * s) * gain;
        *(f8 *)(out_im + i) = (b * c - a * s) * gain;
    }
}

CLONES
void nbk_sums_about(const float *restrict re, const float *restrict im, const float *restrict x,
                    const float *restrict y, float per_x, float per_y, float step_x, float step_y, size_t count,
                    float *restrict sums) {
    f8 sum_re[9] = {{0}}, sum_im[9] = {{0}};
    for (size_t i = 0; i < count; i += 8) {
        f8 u = *(const f8 *)(x + i), v = *(const f8 *)(y + i);
        f8 a = *(const f8 *)(re + i), b = *(const f8 *)(im + i), angle = u * per_x + v * per_y, c, s;
        exact_turn(&angle, &c, &s);
        f8 here_re = a * c + b * s, here_im = b * c - a * s;
        f8 across = u * step_x, along = v * step_y, cx, sx, cy, sy;
        exact_turn(&across, &cx, &sx);
        exact_turn(&along, &cy, &sy);
        for (int k = 0; k < 3; k++) {
            // Turned by −1, 0 and 1 steps less.
            f8 t = sx * (float)(k - 1);
            f8 p = k == 1 ? here_re : here_re * cx + here_im * t, q = k == 1 ? here_im : here_im * cx - here_re * t;
            f8 pc = p * cy, ps = p * sy, qc = q * cy, qs = q * sy;
            sum_re[3 * k] += pc - qs;
            sum_im[3 * k] += qc + ps;
            sum_re[3 * k + 1] += p;
            sum_im[3 * k + 1] += q;
            sum_re[3 * k + 2] += pc + qs;
            sum_im[3 * k + 2] += qc - ps;
        }
    }
    for (int k = 0; k < 9; k++) {
        sums[2 * k] = total(LOW(sum_re[k]) + HIGH(sum_re[k]));
        sums[2 * k + 1] = total(LOW(sum_im[k]) + HIGH(sum_im[k]));
    }
}

/// |z|² of eight complex values and, apart, their parts.
INLINE void apart(const float *z, f8 *re, f8 *im, f8 *power) {
    f8 a = *(const f8 *)z, b = *(const f8 *)(z + 8);
    *re = __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    *im = __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    *power = *re * *re + *im * *im;
}

CLONES
void nbk_phased_nats(const float *restrict z, float per_power, float constant, float per_part, float first, float step,
                     float *restrict nats, size_t count) {
    const f8 lanes = {0, 1, 2, 3, 4, 5, 6, 7};
    for (size_t i = 0; i < count; i += 8) {
        f8 re, im, power, c, s, angle = (lanes + (float)i) * step + first;
        apart(z + 2 * i, &re, &im, &power);
        exact_turn(&angle, &c, &s);
        *(f8 *)(nats + i) = power * per_power + constant + (re * c + im * s) * per_part;
    }
}

CLONES
void nbk_unphased_nats(const float *restrict z, float per_power, float constant, float per_magnitude,
                       float *restrict nats, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 re, im, power;
        apart(z + 2 * i, &re, &im, &power);
        f8 x = __builtin_elementwise_sqrt(power) * per_magnitude;
        // ln I₀: the series in (x/2)², whose last term is under 10⁻⁷ of it up to 4, or the asymptotic one.
        f8 q = x * x * 0.25f, series = q * (1.0f / 144);
        for (int k = 11; k > 0; k--) series = (series + 1.0f) * (q * (1.0f / (float)(k * k)));
        f8 far = __builtin_elementwise_max(x, (f8){0} + 4.0f), inverse = 1.0f / far;
        f8 tail = 1.0f + inverse * (0.125f + inverse * 0.0703125f);
        i8v is_near = x < 4.0f;
        f8 argument = (f8)(((i8v)(series + 1.0f) & is_near) | ((i8v)(tail * tail * inverse * 0.159154943f) & ~is_near));
        exact_log(&argument);
        f8 near = argument, beyond = 0.5f * argument + far;
        *(f8 *)(nats + i) = power * per_power + constant + (f8)(((i8v)near & is_near) | ((i8v)beyond & ~is_near));
    }
}

CLONES
float nbk_shares(const float *restrict nats, float *restrict shares, size_t count) {
    f8 most = *(const f8 *)nats, sums = {0};
    for (size_t i = 8; i < count; i += 8) most = __builtin_elementwise_max(most, *(const f8 *)(nats + i));
    float greatest = most[0];
    for (int lane = 1; lane < 8; lane++) greatest = most[lane] > greatest ? most[lane] : greatest;
    for (size_t i = 0; i < count; i += 8) {
        f8 share = *(const f8 *)(nats + i) - greatest;
        exact_exp(&share);
        *(f8 *)(shares + i) = share;
        sums += share;
    }
    float sum = total(LOW(sums) + HIGH(sums));
    for (size_t i = 0; i < count; i += 8) *(f8 *)(shares + i) *= 1 / sum;
    f8 mean = (f8){0} + sum / (float)count;
    exact_log(&mean);
    return greatest + mean[0];
}

/// e^x for −80 < x < 80: the whole powers of two go to the exponent, a cubic makes the rest.
INLINE void quick_exp(f16 *x) {
    f16 t = *x * 1.44269504f + 127.0f;
    i16 whole = __builtin_convertvector(t, i16);
    f16 rest = t - __builtin_convertvector(whole, f16);
    f16 mantissa = 1.0f + rest * (0.695556856f + rest * (0.226173572f + rest * 0.0781455737f));
    *x = (f16)((i16)mantissa + ((whole - 127) << 23));
}

/// ln x for positive x.
INLINE void quick_log(f16 *x) {
    i16 bits = (i16)*x;
    f16 exponent = __builtin_convertvector((bits >> 23) - 127, f16);
    f16 m = (f16)((bits & 0x7fffff) | 0x3f800000);
    f16 log2 = -2.153620718f + m * (3.047884161f + m * (-1.051875031f + m * 0.158248749f));
    *x = (exponent + log2) * 0.693147181f;
}

CLONES WIDE
void nbk_phase_likelihoods(float *restrict re, float *restrict im, const float *restrict turn_re,
                           const float *restrict turn_im, const float *restrict weights, const float *restrict floors,
                           size_t symbols, size_t tones, size_t count, float *restrict nats) {
    // Eight phases, and those opposite to them.
    const f16 c = {1,  0.923879533f,  0.707106781f,  0.382683432f,  0, -0.382683432f, -0.707106781f, -0.923879533f,
                   -1, -0.923879533f, -0.707106781f, -0.382683432f, 0, 0.382683432f,  0.707106781f,  0.923879533f};
    const f16 s = {0, 0.382683432f,  0.707106781f,  0.923879533f,  1,  0.923879533f,  0.707106781f,  0.382683432f,
                   0, -0.382683432f, -0.707106781f, -0.923879533f, -1, -0.923879533f, -0.707106781f, -0.382683432f};
    for (size_t m = 0; m < count; m++) {
        f16 all = {0};
        for (size_t i = 0; i < symbols; i++) {
            f16 sum = (f16){0} + floors[i];
            for (size_t k = i * tones; k < (i + 1) * tones; k++) {
                f16 x = re[k] * c + im[k] * s;
                quick_exp(&x);
                sum += x * weights[k];
            }
            quick_log(&sum);
            all += sum;
        }
        float best = all[0];
        for (int lane = 1; lane < 16; lane++) best = all[lane] > best ? all[lane] : best;
        nats[m] = best;
        for (size_t k = 0; k < symbols * tones; k += 8) {
            f8 a = *(f8 *)(re + k), b = *(f8 *)(im + k), p = *(const f8 *)(turn_re + k), q = *(const f8 *)(turn_im + k);
            *(f8 *)(re + k) = a * p - b * q;
            *(f8 *)(im + k) = a * q + b * p;
        }
    }
}

CLONES
void nbk_turned_powers(float *restrict re, float *restrict im, const float *restrict turn_re,
                       const float *restrict turn_im, size_t terms, size_t count, float *restrict powers) {
    for (size_t m = 0; m < count; m++) {
        f8 sum_re = {0}, sum_im = {0};
        for (size_t i = 0; i < terms; i += 8) {
            f8 a = *(f8 *)(re + i), b = *(f8 *)(im + i), c = *(const f8 *)(turn_re + i), d = *(const f8 *)(turn_im + i);
            sum_re += a;
            sum_im += b;
            *(f8 *)(re + i) = a * c - b * d;
            *(f8 *)(im + i) = a * d + b * c;
        }
        float x = total(LOW(sum_re) + HIGH(sum_re)), y = total(LOW(sum_im) + HIGH(sum_im));
        powers[m] = x * x + y * y;
    }
}

float nbk_sum_at(const float *table, const unsigned short *places, size_t count) {
    float sums[4] = {0};
    for (size_t i = 0; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++) sums[lane] += table[places[i + lane]];
    for (size_t i = count & ~(size_t)3; i < count; i++) sums[0] += table[places[i]];
    return sums[0] + sums[1] + sums[2] + sums[3];
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
                for (size_t k = 0, root = 0; k < radix; k++, root = (root + r) % radix) {
                    const float *value = x + part * k + row * j + q;
                    float cr = roots[2 * root], ci = sign * roots[2 * root + 1];
                    re += value[0] * cr - value[1] * ci;
                    im += value[0] * ci + value[1] * cr;
                }
                to[q] = re * wr - im * wi;
                to[q + 1] = re * wi + im * wr;
            }
        }
}
