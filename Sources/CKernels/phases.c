#include "vectors.h"

// Phases of tones: turns tried, and how likely they are.

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
        f8 far = GREATER(x, (f8){0} + 4.0f), inverse = 1.0f / far;
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
    for (size_t i = 8; i < count; i += 8) most = GREATER(most, *(const f8 *)(nats + i));
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

/// e^x, of what is beyond ±80 as at ±80: the whole powers of two go to the exponent, which has room to 88, a cubic makes the rest.
INLINE void quick_exp(f16 *x) {
    const f16 most = (f16){0} + 80.0f;
    f16 t = LESSER(GREATER(*x, -most), most) * 1.44269504f + 127.0f;
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
