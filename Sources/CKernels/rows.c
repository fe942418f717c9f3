#include "vectors.h"

#include <limits.h>

// Rows of numbers: sums, extremes, quantiles, exponentials and logarithms.

CLONES
void nbk_exps(const float *restrict x, float greatest, float *restrict out, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        f8 v = LESSER(*(const f8 *)(x + i), (f8){0} + greatest);
        exact_exp(&v);
        *(f8 *)(out + i) = v;
    }
}

CLONES
float nbk_logs(const float *restrict x, float gain, float least, float *restrict out, size_t count) {
    f8 greatest = (f8){0} - __FLT_MAX__;
    for (size_t i = 0; i < count; i += 8) {
        f8 v = *(const f8 *)(x + i) * gain + least;
        exact_log(&v);
        greatest = GREATER(v, greatest);
        *(f8 *)(out + i) = v;
    }
    return GREATEST(greatest);
}

CLONES
void nbk_transpose(const float *restrict rows, size_t stride, size_t row_count, size_t columns, float *restrict out,
                   size_t out_stride) {
    // Two squares side by side: a cache line of a row is read at once.
    for (size_t first = 0; first < columns; first += 16) {
        size_t end = columns - first < 16 ? columns : first + 16, r = 0;
        for (; r + 8 <= row_count; r += 8) {
            size_t c = first;
            for (; c + 8 <= end; c += 8) {
                f8 square[8];
                for (int k = 0; k < 8; k++) square[k] = *(const f8 *)(rows + (r + k) * stride + c);
                transpose(square);
                for (int k = 0; k < 8; k++) *(f8 *)(out + (c + k) * out_stride + r) = square[k];
            }
            for (; c < end; c++)
                for (size_t k = 0; k < 8; k++) out[c * out_stride + r + k] = rows[(r + k) * stride + c];
        }
        for (; r < row_count; r++)
            for (size_t c = first; c < end; c++) out[c * out_stride + r] = rows[r * stride + c];
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

/// Whether any of 32 is above a threshold.
INLINE int any_above(const float *x, float threshold) {
    f8 greatest = GREATER(
        GREATER(*(const f8 *)x, *(const f8 *)(x + 8)),
        GREATER(*(const f8 *)(x + 16), *(const f8 *)(x + 24)));
    return __builtin_reduce_or((i8)(greatest > threshold)) != 0;
}

CLONES WIDE
size_t nbk_peaks_above(const float *x, size_t count, float threshold, int all, unsigned short *places) {
    size_t found = 0, i = 0;
    for (; i + 16 <= count; i += 16) {
        // Most often there is nothing for long.
        while (i + 48 <= count && !any_above(x + i, threshold)) i += 32;
        f16 here = *(const f16 *)(x + i);
        i16 above = here > threshold;
        if (!all) above &= (here >= *(const f16 *)(x + i - 1)) & (here > *(const f16 *)(x + i + 1));
        b16 bits = __builtin_convertvector(above, b16);
        unsigned short left;
        __builtin_memcpy(&left, &bits, sizeof left);
        for (; left; left &= (unsigned short)(left - 1)) places[found++] = (unsigned short)(i + (size_t)__builtin_ctz(left));
    }
    for (; i < count; i++) {
        places[found] = (unsigned short)i;
        found += x[i] > threshold && (all || (x[i] >= x[i - 1] && x[i] > x[i + 1]));
    }
    return found;
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
    for (size_t i = 8; i < count; i += 8) greatest = GREATER(*(const f8 *)(x + i), greatest);
    return GREATEST(greatest);
}

CLONES
uint64_t nbk_stretches_above(const float *x, size_t count, float share) {
    uint64_t found = 0;
    for (size_t s = 0; s < count; s++, x += 32) {
        f8 a = *(const f8 *)x, b = *(const f8 *)(x + 8), c = *(const f8 *)(x + 16), d = *(const f8 *)(x + 24);
        f8 ab = GREATER(a, b), cd = GREATER(c, d), most = GREATER(ab, cd), sum = (a + b) + (c + d);
        float greatest = GREATEST(most);
        found |= (uint64_t)(greatest > share * (total(LOW(sum) + HIGH(sum)) - greatest)) << s;
    }
    return found;
}

CLONES WIDE
float nbk_value_at(const float *x, size_t count, size_t place, float least) {
    // What is not negative is in the order of its bits.
    float bound = nbk_maximum(x, count);
    int low, high;
    __builtin_memcpy(&low, &least, sizeof low);
    __builtin_memcpy(&high, &bound, sizeof high);
    while (low < high) {
        int middle = low + (high - low) / 2;
        i16 within = {0};
        for (size_t i = 0; i < count; i += 16) within -= *(const i16 *)(x + i) <= middle;
        if ((size_t)__builtin_reduce_add(within) > place) high = middle; else low = middle + 1;
    }
    __builtin_memcpy(&bound, &low, sizeof low);
    return bound;
}

size_t nbk_index_of_maximum(const float *x, size_t count) {
    float maximum = nbk_maximum(x, count);
    size_t i = 0;
    while (!(x[i] == maximum) && i + 1 < count) i++;
    return i;
}

/// Of each column: how many are less than a value, and how many more.
struct about { i16 below, above; };

INLINE void count_about(const float *rows, size_t row_count, size_t stride, const i16 *at, struct about *out) {
    const i16 value = *at;
    i16 below = {0}, above = {0};
    for (size_t r = 0; r < row_count; r++) {
        i16 x = *(const i16 *)(rows + r * stride);
        below -= x < value;
        above -= x > value;
    }
    *out = (struct about){below, above};
}

/// The three greatest of each column that are less than a value, where it is to go down, and otherwise the three least that are more:
/// what is turned round is searched the other way.
INLINE void nearest_about(const float *rows, size_t row_count, size_t stride, const i16 *at, const i16 *is_down, i16 *near) {
    const i16 turn = ~*is_down, value = *at ^ turn, least = (i16){0} + INT_MIN;
    i16 first = least, second = least, third = least;
    for (size_t r = 0; r < row_count; r++) {
        i16 x = *(const i16 *)(rows + r * stride) ^ turn, low = CHOOSE(x < value, x, least);
        i16 rest = __builtin_elementwise_min(first, low);
        first = __builtin_elementwise_max(first, low);
        third = __builtin_elementwise_max(third, __builtin_elementwise_min(second, rest));
        second = __builtin_elementwise_max(second, rest);
    }
    near[0] = first ^ turn;
    near[1] = second ^ turn;
    near[2] = third ^ turn;
}

/// What is known of each column's value: it is more than `low` by `up` places, and less than `high` by `down`; 0 places if nothing is.
struct bracket { i16 low, up, high, down; };

/// Where a value that is `far` places too high or too low should stand: between those on either side, if both are known.
INLINE void jump(struct bracket *known, const i16 *far, const i16 *is_down, i16 *at) {
    // Energies of noise stand some 2^18 of their bits apart, where one in four of two hundred is less.
    const i16 value = *at, step = __builtin_elementwise_min(*far, (i16){0} + 4096) * (1 << 18);
    known->high = CHOOSE(*is_down, value, known->high);
    known->down = CHOOSE(*is_down, *far, known->down);
    known->low = CHOOSE(*is_down, known->low, value);
    known->up = CHOOSE(*is_down, known->up, *far);
    f16 low = __builtin_convertvector(known->low, f16), high = __builtin_convertvector(known->high, f16);
    f16 up = __builtin_convertvector(known->up, f16), down = __builtin_convertvector(known->down, f16);
    f16 sum = low + (high - low) * (up / GREATER(up + down, (f16){0} + 1));
    // The greatest float that is an int.
    i16 between = __builtin_convertvector(LESSER(sum, (f16){0} + 2147483520.0f), i16);
    i16 beyond = __builtin_elementwise_add_sat(value, CHOOSE(*is_down, -step, step));
    *at = CHOOSE((known->up > 0) & (known->down > 0), between, beyond);
}

/// After so many jumps a value is approached by three places at a time, which never fails.
#define MOST_JUMPS 6

CLONES WIDE
void nbk_ranks(const float *rows, size_t row_count, size_t stride, size_t columns, size_t rank, float *values) {
    // What is not negative is in the order of its bits.
    const i16 place = (i16){0} + (int)rank, all = (i16){0} + (int)row_count;
    for (size_t c = 0; c < columns; c += 16) {
        i16 value = *(const i16 *)(values + c);
        struct bracket known = {{0}, {0}, {0}, {0}};
        for (int jumps = 0;; jumps++) {
            struct about about;
            count_about(rows + c, row_count, stride, &value, &about);
            // How many places too high it stands, or too low.
            i16 down = about.below - place, up = place + 1 - (all - about.above), is_down = down > 0, far = CHOOSE(is_down, down, up);
            if (!__builtin_reduce_or(far > 0)) break;
            if (jumps < MOST_JUMPS && __builtin_reduce_or(far > 3)) {
                i16 next = value;
                jump(&known, &far, &is_down, &next);
                value = CHOOSE(far > 3, next, value);
                continue;
            }
            i16 near[3];
            nearest_about(rows + c, row_count, stride, &value, &is_down, near);
            i16 next = CHOOSE(far == 1, near[0], CHOOSE(far == 2, near[1], near[2]));
            value = CHOOSE(far > 0, next, value);
            if (!__builtin_reduce_or(far > 3)) break;
        }
        *(i16 *)(values + c) = value;
    }
}

float nbk_sum_at(const float *table, const unsigned short *places, size_t count) {
    float sums[4] = {0};
    for (size_t i = 0; i + 4 <= count; i += 4)
        for (size_t lane = 0; lane < 4; lane++) sums[lane] += table[places[i + lane]];
    for (size_t i = count & ~(size_t)3; i < count; i++) sums[0] += table[places[i]];
    return sums[0] + sums[1] + sums[2] + sums[3];
}
