#include "vectors.h"

// The search for tones: columns along time.

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
void nbk_look_up(const float *restrict x, const float *restrict gains, float scale, float greatest, float per,
                 const float *restrict pairs, float *restrict first, float *restrict second, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 value = *(const f8 *)(x + i) * scale * *(const f8 *)(gains + i);
        value = GREATER(LESSER(value, (f8){0} + greatest), (f8){0});
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
        f8 mean = GREATER(*sum, (f8){0} + least) * share;
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
                energies[place] = weights[w] * LESSER(energy, (f8){0} + greatest);
            }
            for (int place = 0; place < REACH; place++) sum += energies[place];
            for (int tone = 0; tone < TONES; tone++) {
                sum += energies[tone + REACH];
                sums[tone] += sum;
                sum -= energies[tone];
            }
        }
        f8 most = sums[0], likelihood = {0};
        for (int tone = 1; tone < TONES; tone++) most = GREATER(most, sums[tone]);
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
