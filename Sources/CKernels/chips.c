#include "vectors.h"

// The search for clusters of chips, and their echoes.

CLONES
void nbk_wide_gamma_nats(const float *restrict x, float shape, float *restrict nats, size_t count) {
    const float scale = 3 * __builtin_sqrtf(shape), share = 1 / (9 * shape);
    for (size_t i = 0; i < count; i += 8) {
        // Of less than a millionth of the mean no more is known than that.
        f8 root = GREATER(*(const f8 *)(x + i) / shape, (f8){0} + 1e-6f);
        exact_log(&root);
        root *= 1.0f / 3;
        exact_exp(&root);
        f8 z = GREATER(scale * (root - 1.0f + share), (f8){0}), edge = 2.5066f * (z + 1.0f);
        exact_log(&edge);
        *(f8 *)(nats + i) = (f8)((i8v)(0.5f * z * z + edge) & (i8v)(z > 0.0f));
    }
}

#if defined(__arm__)
/// S_t of each third, into re and im. One third after the other: ARMv7 has registers for the sums of one.
INLINE void thirds(const float *values, const ptrdiff_t *offsets, const float *turns, size_t per_third, f8 *re, f8 *im) {
    for (size_t t = 0; t < 3; t++, offsets += per_third, turns += 16 * per_third) {
        f8 straight_re = {0}, straight_im = {0}, crossed_re = {0}, crossed_im = {0};
#pragma clang loop unroll(disable)
        for (size_t k = 0; k < per_third; k++) {
            const float *value = values + 2 * offsets[k];
            f8 turn_re = *(const f8 *)(turns + 16 * k), turn_im = *(const f8 *)(turns + 16 * k + 8);
            straight_re += turn_re * value[0];
            straight_im += turn_im * value[0];
            crossed_re += turn_im * value[1];
            crossed_im += turn_re * value[1];
        }
        re[t] = straight_re - crossed_re;
        im[t] = straight_im + crossed_im;
    }
}
#else
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
#endif

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
    if (per_third == 6 && !adds) {  // the usual: without loops
        group_powers(values, offsets, turns, 6, shift, gain, out, stride, 0);
    } else {
        group_powers(values, offsets, turns, per_third, shift, gain, out, stride, adds);
    }
}

INLINE void cell_peaks(const float *values, const ptrdiff_t *starts, const float *gains, size_t segments, int shifts,
                       const ptrdiff_t *offsets, const float *turns, size_t groups, size_t per_third, float *peaks) {
    f8 greatest[5] = {{0}};
    for (size_t group = 0; group < groups; group++, offsets += 3 * per_third, turns += 48 * per_third) {
        f8 rows[5] = {{0}};
        for (size_t s = 0; s < segments; s++) {
            f8 re[3], im[3], power[4], apart = {0};
            thirds(values + 2 * starts[group * segments + s], offsets, turns, per_third, re, im);
            f8 more_re = re[0] + re[1], more_im = im[0] + im[1], less_re = re[0] - re[1], less_im = im[0] - im[1];
            power[0] = (more_re + re[2]) * (more_re + re[2]) + (more_im + im[2]) * (more_im + im[2]);
            power[1] = (more_re - re[2]) * (more_re - re[2]) + (more_im - im[2]) * (more_im - im[2]);
            power[2] = (less_re + re[2]) * (less_re + re[2]) + (less_im + im[2]) * (less_im + im[2]);
            power[3] = (less_re - re[2]) * (less_re - re[2]) + (less_im - im[2]) * (less_im - im[2]);
            for (int t = 0; t < 3; t++) apart += re[t] * re[t] + im[t] * im[t];
            size_t shift = shifts ? s : 0;
            for (size_t lane = 0; lane < 4; lane++) rows[lane] += gains[s] * power[(lane + shift) & 3];
            rows[4] += gains[s] * apart;
        }
        for (int row = 0; row < 5; row++) greatest[row] = GREATER(greatest[row], rows[row]);
    }
    for (int row = 0; row < 5; row++) {
        peaks[row] = GREATEST(greatest[row]);
    }
}

CLONES WIDE
void nbk_cell_peaks(const float *values, const ptrdiff_t *starts, const float *gains, size_t segments, int shifts,
                    const ptrdiff_t *offsets, const float *turns, size_t groups, size_t per_third, float *peaks) {
    if (per_third == 6 && segments == 3 && shifts) {  // the usual ones: without loops
        cell_peaks(values, starts, gains, 3, 1, offsets, turns, groups, 6, peaks);
    } else if (per_third == 6 && segments == 1) {
        cell_peaks(values, starts, gains, 1, 0, offsets, turns, groups, 6, peaks);
    } else {
        cell_peaks(values, starts, gains, segments, shifts, offsets, turns, groups, per_third, peaks);
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
    if (per_third == 6) {
        pattern_powers(values, starts, count, offsets, turns, 6, pattern, gain, out, stride);
    } else {
        pattern_powers(values, starts, count, offsets, turns, per_third, pattern, gain, out, stride);
    }
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

CLONES
void nbk_polyphase(const float *z, size_t columns, float *re, float *im, size_t stride) {
    size_t j = 0;
    for (; j + 8 <= columns; j += 8, z += 256) {
        for (size_t part = 0; part < 32; part += 8) {
            // Eight columns of four values, real and imaginary parts in turn.
            f8 square[8];
            for (int k = 0; k < 8; k++) square[k] = *(const f8 *)(z + 32 * k + part);
            transpose(square);
            for (size_t k = 0; k < 8; k++) *(f8 *)((k & 1 ? im : re) + (part + k) / 2 * stride + j) = square[k];
        }
    }
    for (; j < columns; j++, z += 32) {
        for (size_t phase = 0; phase < 16; phase++) {
            re[phase * stride + j] = z[2 * phase];
            im[phase * stride + j] = z[2 * phase + 1];
        }
    }
}

/// Where sample i of the first block stands among phases.
INLINE size_t phase_place(size_t i, size_t stride) { return (i & 15) * stride + (i >> 4); }

/// Eight blocks for each of `vectors`.
INLINE void block_products(const float *re, const float *im, size_t stride, size_t a, size_t b, const float *turn, size_t vectors,
                           float *product_re, float *product_im) {
    f8 along[4], across[4];
    for (size_t v = 0; v < vectors; v++) along[v] = across[v] = (f8){0};
    for (size_t i = 0; i < 16; i += 2) {
        size_t x = phase_place(a + i, stride), y = phase_place(b + i, stride);
        for (size_t v = 0; v < vectors; v++, x += 8, y += 8) {
            f8 x_re = *(const f8 *)(re + x), x_im = *(const f8 *)(im + x);
            f8 y_re = *(const f8 *)(re + y), y_im = *(const f8 *)(im + y);
            along[v] += x_re * y_re;
            across[v] += x_im * y_re;
            along[v] += x_im * y_im;
            across[v] -= x_re * y_im;
        }
    }
    for (size_t v = 0; v < vectors; v++) {
        *(f8 *)(product_re + 8 * v) = along[v] * turn[0] - across[v] * turn[1];
        *(f8 *)(product_im + 8 * v) = along[v] * turn[1] + across[v] * turn[0];
    }
}

CLONES
void nbk_block_products(const float *re, const float *im, size_t stride, size_t a, size_t b, const float *turn, size_t blocks,
                        float *product_re, float *product_im) {
    size_t j = 0;
    for (; j + 32 <= blocks; j += 32)
        block_products(re + j, im + j, stride, a, b, turn, 4, product_re + j, product_im + j);
    if (j + 24 == blocks) {
        block_products(re + j, im + j, stride, a, b, turn, 3, product_re + j, product_im + j);
        return;
    }
    for (; j < blocks; j += 8)
        block_products(re + j, im + j, stride, a, b, turn, 1, product_re + j, product_im + j);
}

CLONES
void nbk_block_energies(const float *re, const float *im, size_t stride, size_t a, size_t blocks, float *energies) {
    for (size_t j = 0; j < blocks; j += 8) {
        f8 energy = *(const f8 *)(energies + j), other = {0};
        for (size_t i = 0; i < 16; i += 2) {
            size_t x = phase_place(a + i, stride) + j;
            f8 x_re = *(const f8 *)(re + x), x_im = *(const f8 *)(im + x);
            energy += x_re * x_re;
            other += x_im * x_im;
        }
        *(f8 *)(energies + j) = energy + other;
    }
}

CLONES
void nbk_doppler_tails(const float *product_re, const float *product_im, size_t stride, size_t blocks, size_t pairs,
                       const float *turns, float decay, const float *least, float *peaks, unsigned char *places) {
    const ptrdiff_t apart = product_im - product_re;
    f8 above = {0}, below = {0};  // tails at Dopplers over the middle, and at those as far under it
    for (size_t j = blocks; j-- > 0;) {
        // Three sums at a time, that do not wait for each other.
        f8 along[3] = {{0}}, across[3] = {{0}};
        const float *re = product_re + j, *turn = turns;
        size_t p = 0;
        for (; p + 3 <= pairs; p += 3, re += 3 * stride, turn += 48) {
            for (size_t k = 0; k < 3; k++) {
                along[k] += *(const f8 *)(turn + 16 * k) * re[k * stride];
                across[k] += *(const f8 *)(turn + 16 * k + 8) * re[k * stride + apart];
            }
        }
        for (; p < pairs; p++, re += stride, turn += 16) {
            along[0] += *(const f8 *)turn * *re;
            across[0] += *(const f8 *)(turn + 8) * re[apart];
        }
        f8 even = along[0] + along[1] + along[2], odd = across[0] + across[1] + across[2];
        above = above * decay + (even - odd);
        below = below * decay + (even + odd);
        f8 both = GREATER(above, below);
        float peak = GREATEST(both);
        peaks[j] = peak;
        if (!(peak > least[j])) continue;
        for (int i = 0; i < 8; i++) {
            if (above[i] == peak) places[j] = (unsigned char)(8 + i);
            if (below[i] == peak) places[j] = (unsigned char)(7 - i);
        }
    }
}

CLONES WIDE
void nbk_take_out(const float *known, size_t count, const float *taken_re, const float *taken_im, size_t taps, float *re, float *im) {
    for (size_t i = 0; i < count; i++) {
        if (known[i] == 0) continue;
        for (size_t tap = 0; tap < taps; tap += 16) {
            *(f16 *)(re + i + tap) -= *(const f16 *)(taken_re + tap) * known[i];
            *(f16 *)(im + i + tap) -= *(const f16 *)(taken_im + tap) * known[i];
        }
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
int nbk_tail_peak(const float *x, size_t rows, size_t stride, size_t width, float mean, float decay, float gain,
                  float *peak, size_t *row, size_t *column) {
    int found = 0;
    for (size_t first = 0; first < width; first += 8) {
        f8 tail = {0}, best;
        for (int i = 0; i < 8; i++) best[i] = *peak;
        for (size_t r = rows; r-- > 0;) {
            tail = tail * decay + (*(const f8 *)(x + r * stride + first) - mean) * gain;
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
