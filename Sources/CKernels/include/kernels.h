#ifndef NEARBY_KERNELS_H
#define NEARBY_KERNELS_H

// The innermost loops of the receiver, compiled for several instruction sets of which the loader takes the best the
// processor has. Swift has no such choice at run time. Each has a plain Swift loop beside it that tests hold it to.
// Complex values are pairs of floats, real part first. Nothing needs an alignment beyond that of its numbers. Results do not overlap
// other arrays unless a kernel changes one in place.
//
// Nothing is checked here: `Kernels` in Swift, or the one caller there is, traps on counts, strides and places that a kernel would run
// over. Values may be any floats, NaN among them: what they give may then mean nothing, but no place outside the arrays is read.

#include <stddef.h>
#include <stdint.h>

/// out[m] = Σ_k taps[k] x[20 m + k] · turn[k mod 40], m = 0 … count − 1; taps `[240]`, turn `[40]`, out complex.
void nbk_decimate(const float *x, const float *taps, const float *turn_re, const float *turn_im, size_t count,
                  float *out);

/// out[i] = a[i] b[i], complex, `[count]`.
void nbk_complex_multiply(const float *a, const float *b, float *out, size_t count);

/// out[i] += a[i] b[i], complex, `[count]`.
void nbk_complex_multiply_add(const float *a, const float *b, float *out, size_t count);

/// out[i] = z[i] · gains[i], complex values and real gains. `[count]`
void nbk_complex_scale(const float *z, const float *gains, float *out, size_t count);

/// x[i] += y[i]. `[count]`
void nbk_add(float *x, const float *y, size_t count);

/// x[i] −= y[i]. `[count]`
void nbk_subtract(float *x, const float *y, size_t count);

/// powers[i] = |z[i]|²; returns their sum. `[count]`
float nbk_powers(const float *z, float *powers, size_t count);

/// Real samples to complex ones, fewer: out[m] = Σ_k x[factor m + k] (taps_re[k], taps_im[k]). `[count]`, taps a multiple of 16.
void nbk_downconvert(const float *x, size_t factor, const float *taps_re, const float *taps_im, size_t taps, float *out,
                     size_t count);

/// out[i] = x[i], or 0 where |x[i]| is under `least`, over `most` or no number. `[count]`
void nbk_copy_sane(const float *x, size_t count, float least, float most, float *out);

/// out[i] = ⌊32767 min(max(x[i] · gain, −1), 1) + ½⌋; −32767 for what is no number. `[count]`
void nbk_quantize(const float *x, float gain, int16_t *out, size_t count);

/// The bits of the greatest |x[i]|: 0 without any, those of a NaN if one of them is. `[count]`
uint32_t nbk_largest_magnitude(const float *x, size_t count);

/// samples[i] *= turn[i mod 4] · step^⌊i / 4⌋, complex: a phasor in four, whose sums do not wait for each other.
/// turn is four real parts, then four imaginary ones. `[count]`
void nbk_rotate(float *samples, size_t count, const double *turn, double step_re, double step_im);

/// samples[i] *= phase · turn[i], complex. turn_re and turn_im are read to the end of a vector of four. `[count]`
void nbk_turn(float *samples, size_t count, double phase_re, double phase_im, const double *turn_re, const double *turn_im);

/// A filter of twelve real taps at 32 fractional delays over complex samples, read at fractional positions:
///
///     out[m] = Σ_k filters[phase][k] samples[⌊p_m⌋ − 5 + k],   p_m = position + m · step,  phase = ⌊32 (p_m − ⌊p_m⌋) + ½⌋
///
/// filters `[32][12]`, each tap twice; `first` ≤ m < `last`; samples and out complex.
void nbk_read_fractional(const float *samples, const float *filters, double position, double step, size_t first,
                         size_t last, float *out);

/// Σ x[i] y[i]. `[count]`
float nbk_dot(const float *x, const float *y, size_t count);

/// sums = (Σ x[i] r[i], Σ a[i] r[i]), complex doubles in split arrays; sums is two real parts, each with its imaginary one.
/// `[count]`
void nbk_split_sums(const double *x_re, const double *x_im, const double *a_re, const double *a_im, const double *r_re,
                    const double *r_im, size_t count, double *sums);

/// x[i] += q a[count − 1 − i]*, complex doubles in split arrays. `[count]`
void nbk_split_add_mirrored(const double *a_re, const double *a_im, double q_re, double q_im, size_t count, double *x_re,
                            double *x_im);

/// out[r] = Σ_k rows[r][k] x[k], k < 64. rows `[count][64]`
void nbk_dot_rows(const float *rows, size_t count, const float *x, float *out);

/// energies[r] = Σ_i x[r][i]². x `[count][row]`
void nbk_row_energies(const float *x, size_t row, size_t count, float *energies);

/// x[i] = min(x[i] · scale, ceiling). `[count]`
void nbk_scale_clip(float *x, float scale, float ceiling, size_t count);

/// medians[i] ·= up where values[i] · scale > medians[i], and down elsewhere; within low … high. `[count]`
void nbk_step_medians(float *medians, const float *values, float scale, float up, float down, float low, float high, size_t count);

/// The best of sums over what stands elsewhere, and which one it is:
///
///     sum_k[i] = newest[i + offsets[k]] + (is_first[k] ? newest[i] : sum_{k−1}[i]),   k < kinds
///     best[i] = max of `least` and of those over newest[i] + gain; which[i] = its k, the first of equals, or 0
///
/// `[count]`, a multiple of 16.
void nbk_joint_sums(const float *newest, const ptrdiff_t *offsets, const uint8_t *is_first, size_t kinds, float gain,
                    float least, float *best, int32_t *which, size_t count);

/// out[i] = e^min(x[i], greatest), to two units in the last place; under −87 as at −87, over 88 as at 88. `[count]`,
/// a multiple of 8.
void nbk_exps(const float *x, float greatest, float *out, size_t count);

/// out[i] = ln(gain x[i] + least), to two units in the last place, of what is positive and not denormal; what is less gives −88 to −87,
/// anything else some finite number. Returns the greatest. `[count]`, a positive multiple of 8.
float nbk_logs(const float *x, float gain, float least, float *out, size_t count);

/// −ln P(a sum of `shape` unit exponentials > x[i]) of large shapes, by the normal variate z = 3 √n ((x/n)^⅓ − 1 + 1/(9n)):
/// nats[i] = z²/2 + ln(2.5066 (z + 1)), or 0 where z is not positive. `[count]`, a multiple of 8.
void nbk_wide_gamma_nats(const float *x, float shape, float *nats, size_t count);

/// Asks for the cache lines of x[0 … count), which will soon be written: a store that misses the cache delays those after it.
static inline void nbk_prefetch(const float *x, size_t count) {
    for (size_t i = 0; i < count; i += 16) __builtin_prefetch(x + i, 1);
}

/// out[c · out_stride + r] = rows[r · stride + c], r < row_count, c < columns.
void nbk_transpose(const float *rows, size_t stride, size_t row_count, size_t columns, float *out, size_t out_stride);

/// The place p = ⌊min(x[i] · scale · gains[i], greatest) · per + ½⌋ in pairs: first[i] = pairs[p][0], second[i] = pairs[p][1].
/// A negative product counts as 0, NaN as `greatest`. pairs `[⌊greatest · per + ½⌋ + 1][2]`. `[count]`, a multiple of 8.
void nbk_look_up(const float *x, const float *gains, float scale, float greatest, float per, const float *pairs,
                 float *first, float *second, size_t count);

/// out[i] = ln(share · max(sums[i], least)), then sums[i] += next[i] − last[i]. `[count]`, a multiple of 8.
void nbk_slide_logs(float *sums, const float *next, const float *last, float share, float least, float *out,
                    size_t count);

/// What a walker's 64 tones have: energies of nine neighbours two columns apart, in each of some windows.
///
///     e_w(k)[i] = weights[w] · min(columns[2k][i + w · window_steps] · scale[2k] · gains[i], greatest)
///     ratios[tone][i] = Σ_w Σ_{k ≤ 8} e_w(tone + k)[i] − constant,   votes[i] = ln mean over tones of e^ratios[tone][i]
///
/// `[count]`, a multiple of 8. Column c begins at c · stride, and tone t's ratios at t · ratio_stride.
void nbk_spread(const float *columns, size_t stride, const float *scale, const float *gains, const float *weights,
                size_t windows, size_t window_steps, float greatest, float constant, float *ratios,
                size_t ratio_stride, float *votes, size_t count);

/// out[i] = Σ_r base[offsets[r] + i]. `[count]`
void nbk_sum_rows(const float *base, const ptrdiff_t *offsets, size_t rows, float *out, size_t count);

/// Clusters of a segment summed coherently at eight fine Dopplers, in three thirds S0, S1, S2:
///
///     S_t = Σ_{clusters of third t} values[offsets[k]] · turn[k]
///     out[(p − shift) mod 4][0…7] += gain |S0 ± S1 ± S2|²   p = 0 … 3 for the signs ++, +−, −+, −−  (of S1, S2)
///     out[4][0…7] += gain Σ_t |S_t|²
///
/// values complex, turns `[3 per_third][2][8]`, real parts first; row p begins at out + p · stride. adds: 0 to set out, not add to it.
void nbk_group_powers(const float *values, const ptrdiff_t *offsets, const float *turns, size_t per_third, int shift,
                      float gain, float *out, size_t stride, int adds);

/// The greatest of each row of the same over the fine Dopplers of some groups, of segments added up:
///
///     peaks[row] = max over groups and the eight of Σ_s gains[s] out_s[row],   values of segment s moved by starts[group][s]
///
/// starts `[groups][segments]`, offsets `[groups][3 per_third]`, turns `[groups][3 per_third][2][8]`, peaks `[5]`. shifts: whether segment s
/// has the shift s, or all have 0.
void nbk_cell_peaks(const float *values, const ptrdiff_t *starts, const float *gains, size_t segments, int shifts,
                    const ptrdiff_t *offsets, const float *turns, size_t groups, size_t per_third, float *peaks);

/// The one row `pattern` of the same, at several starts: out[i · stride + 0…7] += gain |S0 ± S1 ± S2|², with values
/// moved by starts[i], i < count.
void nbk_pattern_powers(const float *values, const ptrdiff_t *starts, size_t count, const ptrdiff_t *offsets,
                        const float *turns, size_t per_third, int pattern, float gain, float *out, size_t stride);

/// The least i in [first, count) with x[i] > threshold, or count.
size_t nbk_next_above(const float *x, size_t first, size_t count, float threshold);

/// Every i < count with x[i] > threshold, in order, or, unless `all`, those of them with x[i] ≥ x[i − 1] and x[i] > x[i + 1].
/// Returns how many there are. places `[count + 1]`, count at most 65536, x[−1] and x[count] can be read.
size_t nbk_peaks_above(const float *x, size_t count, float threshold, int all, unsigned short *places);

/// Bit s for every stretch x[32 s] … x[32 s + 31] whose greatest value is over share times the sum of its others, s < count ≤ 64.
uint64_t nbk_stretches_above(const float *x, size_t count, float share);

/// For how many i gain x[i] < bound. `[count]`, a multiple of 16.
size_t nbk_count_below(const float *x, size_t count, float gain, float bound);

/// What stands at `place` of x, were it sorted; it is not less than `least`, which is not negative, as no x[i] is. `[count]`, a positive
/// multiple of 16.
float nbk_value_at(const float *x, size_t count, size_t place, float least);

/// The greatest x[i]. `[count]`, count a positive multiple of 8.
float nbk_maximum(const float *x, size_t count);

/// Σ_k |values[offsets[k]]|², values complex. `[count]`
float nbk_gathered_power(const float *values, const ptrdiff_t *offsets, size_t count);

/// The least i whose x[i] no other exceeds. `[count]`, count a positive multiple of 8.
size_t nbk_index_of_maximum(const float *x, size_t count);

/// The value at place `rank` of each column, were its rows sorted: values[c] of rows[r · stride + c], r = 0 … row_count − 1; the
/// nearer values[c] is to it before, the sooner it is found. `columns` is a multiple of 16, rank < row_count. No row is negative or
/// NaN: such are put in the order of their bits.
void nbk_ranks(const float *rows, size_t row_count, size_t stride, size_t columns, size_t rank, float *values);

/// Complex values by their place in blocks of sixteen, parts apart: re[phase · stride + j] + i im[phase · stride + j] = z[16 j + phase].
///
/// z `[16 · columns]` complex, re, im `[16][stride]`.
void nbk_polyphase(const float *z, size_t columns, float *re, float *im, size_t stride);

/// Products of two stretches of such values, turned, summed over every second value of blocks of sixteen:
///
///     product[j] = turn Σ_{i = 0, 2 … 14} z[16 j + a + i] conj(z[16 j + b + i])        j = 0 … blocks − 1
///
/// blocks is a multiple of 8; a column is read for each that a, b and blocks name.
void nbk_block_products(const float *re, const float *im, size_t stride, size_t a, size_t b, const float *turn, size_t blocks,
                        float *product_re, float *product_im);

/// energies[j] += Σ_{i = 0, 2 … 14} |z[16 j + a + i]|², j = 0 … blocks − 1, of the same. blocks is a multiple of 8.
void nbk_block_energies(const float *re, const float *im, size_t stride, size_t a, size_t blocks, float *energies);

/// Exponential tails over blocks at sixteen Dopplers, eight to either side of the middle, the greatest of them, and where it
/// exceeds `least`, which it is:
///
///     tail±k(j) = decay · tail±k(j + 1) + Σ_p (re[p][j] turns[p][0][k] ∓ im[p][j] turns[p][1][k]),   peaks[j] = max tail(j)
///
/// products `[pairs][stride]` of one array, turns `[pairs][2][8]`, cosines and sines, least, peaks, places `[blocks]`; tail(blocks) = 0. Place 8 + k is that of +k,
/// 7 − k that of −k.
void nbk_doppler_tails(const float *product_re, const float *product_im, size_t stride, size_t blocks, size_t pairs,
                       const float *turns, float decay, const float *least, float *peaks, unsigned char *places);

/// Takes what known chips leave at each tap out of all others' sight: re[i + tap] −= taken_re[tap] · known[i], and im alike, for
/// i < count in turn. taps is a multiple of 16.
void nbk_take_out(const float *known, size_t count, const float *taken_re, const float *taken_im, size_t taps, float *re,
                  float *im);

/// One direction of a RAKE over `count` chips: what every tap has learnt so far weighs the next chip.
///
///     y = x[i + k] + known[i] taken_k
///     soft[i] += Σ_k g_k(i) Re(h_k* y);   then  h_k = decay (h_k + known[i] y)
///
/// x is what is left of the chips when every known one's echoes are taken out. g_k(i) = load_k / (1 + load_k energy[i]),
/// renewed every eight chips. Chips run from 0 upward, or from count − 1 downward. re, im `[count + taps − 1]`; load, taken
/// `[taps]`, taps a multiple of 8 and at most 128; known, energy `[count]`.
void nbk_rake(const float *re, const float *im, const float *known, const float *energy, const float *load,
              const float *taken_re, const float *taken_im, size_t taps, size_t count, int backward, float decay,
              float *soft);

/// The greatest of exponential tails over powers of a mean, if it exceeds `peak`, with its place; else 0 and nothing
/// changed:
///
///     tail(r) = decay · tail(r + 1) + gain (x[r][c] − mean)
///
/// x `[rows][width]`, rows `stride` apart, width a multiple of 8.
int nbk_tail_peak(const float *x, size_t rows, size_t stride, size_t width, float mean, float decay, float gain,
                  float *peak, size_t *row, size_t *column);

/// The steps of polar decoding, `[count]`, count a multiple of 8. Values are log likelihood ratios, positive for bit 0;
/// a partial sum is a sign mask: 0, or 0x8000_0000 for bit 1.
///
///     f(a, b) = 2 artanh(tanh(a/2) tanh(b/2))        g(a, b, s) = b + (−1)^s a
///             = sign(a) sign(b) [min(|a|, |b|) + s(|a| + |b|) − s(||a| − |b||)]
///
/// s(x) = ln(1 + e^−x), taken as max(0, 0.91244 − 0.16455 x)⁴: within 0.02.
void nbk_polar_f(const float *a, const float *b, float *out, size_t count);
void nbk_polar_g(const float *a, const float *b, const unsigned *sums, float *out, size_t count);

/// g for partial sums of 0, and what all zeros cost: Σ ln(1 + e^−f(a, b)).
float nbk_polar_frozen(const float *a, const float *b, float *out, size_t count);

/// Σ ln(1 + e^−x[i]), what all zeros cost, and Σ ln(1 + e^x[i]), what all ones do.
void nbk_polar_penalties(const float *x, size_t count, float *zeros, float *ones);

/// One step of a Viterbi decoder over a trellis whose branches carry tones, eight (`nbk_trellis_step8`) or four
/// (`nbk_trellis_step4`) branches a state. State x = (p's low part, w): its predecessors are s = (x >> u) + p · states / U:
///
///     after[x]  = max over p of  before[s] + rows[labels[s]][w],        w = x mod U,  U = 2^u,  states a multiple of U
///     choice[x] = the p of it
///
/// labels `[states]` under 64; rows `[64][U]`; before, after, choice `[states]`. Returns the greatest of `after`.
float nbk_trellis_step8(const float *before, const unsigned char *labels, const float *rows, size_t states,
                        float *after, unsigned char *choice);
float nbk_trellis_step4(const float *before, const unsigned char *labels, const float *rows, size_t states,
                        float *after, unsigned char *choice);

/// What terms add up to as they turn evenly: powers[m] = |Σ_i z[i] turn[i]^m|², m < count. Real and imaginary parts `[terms]`, a
/// multiple of 8; z is left turned.
void nbk_turned_powers(float *re, float *im, const float *turn_re, const float *turn_im, size_t terms, size_t count,
                       float *powers);

/// Σ_i table[places[i]]. `[count]`
float nbk_sum_at(const float *table, const unsigned short *places, size_t count);

/// re[i] + j im[i] = e^{j (x[i] per_x + y[i] per_y)}, to 10⁻⁶ where the angle is under 100. `[count]`, a multiple of 8.
void nbk_turns(const float *x, const float *y, float per_x, float per_y, float *re, float *im, size_t count);

/// out[i] = gain (re[i] + j im[i]) e^{−j (x[i] per_x + y[i] per_y)}. `[count]`, a multiple of 8.
void nbk_turn_back(const float *re, const float *im, const float *x, const float *y, float per_x, float per_y, float gain,
                   float *out_re, float *out_im, size_t count);

/// The same added up, for nine pairs of turns about one:
///
///     sums[k][l] = Σ_i (re[i] + j im[i]) e^{−j (x[i] (per_x + (k − 1) step_x) + y[i] (per_y + (l − 1) step_y))},  k, l = 0, 1, 2
///
/// `[count]`, a multiple of 8; sums complex `[3][3]`.
void nbk_sums_about(const float *re, const float *im, const float *x, const float *y, float per_x, float per_y,
                    float step_x, float step_y, size_t count, float *sums);

/// nats[i] = per_power |z[i]|² + constant + per_part Re(z[i] e^{−j (first + i step)}). z complex `[count]`, a multiple of 8.
void nbk_phased_nats(const float *z, float per_power, float constant, float per_part, float first, float step, float *nats,
                     size_t count);

/// nats[i] = per_power |z[i]|² + constant + ln I₀(per_magnitude |z[i]|), to 10⁻⁴ of what exceeds 1. z complex `[count]`, a multiple
/// of 8.
void nbk_unphased_nats(const float *z, float per_power, float constant, float per_magnitude, float *nats, size_t count);

/// shares[i] = e^nats[i] over their sum; returns the logarithm of their mean. `[count]`, a positive multiple of 8.
float nbk_shares(const float *nats, float *shares, size_t count);

/// How likely phases are that turn evenly from symbol to symbol, whichever of its likely tones each symbol sent:
///
///     nats[m] = max over φ of  Σ_i ln( floors[i] + Σ_k weights[i][k] exp Re(values[i][k] · turns[i][k]^m · e^{−jφ}) )
///
/// m < count; φ in sixteen steps of the circle. values re + j im, turns and weights `[symbols][tones]`, a multiple of 8 with
/// zeros after them; floors `[symbols]`, positive; values are left turned. Exponentials and logarithms are good to 1 part in 10³;
/// an exponent beyond ±80 counts as ±80, and a sum that no float holds as e^88.7.
void nbk_phase_likelihoods(float *re, float *im, const float *turn_re, const float *turn_im, const float *weights,
                           const float *floors, size_t symbols, size_t tones, size_t count, float *nats);

/// Goertzel's recursion for many bins at once, a lane each, over x[0], x[stride], x[2 stride] …:
///
///     s[n] = x[n] + coefficient · s[n − 1] − s[n − 2];   last = s[count − 1],  before = s[count − 2]
///
/// coefficient, last, before `[bins]`, bins a multiple of 8.
void nbk_goertzel(const float *x, size_t stride, size_t count, const float *coefficient, size_t bins, float *last,
                  float *before);

/// A pass of a Fourier transform without reordering (Stockham), of radix R over blocks · R rows of `width` complex values:
///
///     out[width (R j + r) + q] = e^{sign 2πi j r / (R blocks)} Σ_k x[width (j + blocks k) + q] e^{sign 2πi k r / R}
///
/// j < blocks, q < width, r, k < R. turns `[R − 1][blocks]`: e^{2πi j r / (R blocks)} for r = 1 … R − 1, complex;
/// sign ±1. x and out do not overlap. `nbk_fourier_first4`: R = 4, width 1, blocks a multiple of 4; `nbk_fourier_pass4`: R = 4,
/// width a multiple of 4; `nbk_fourier_pass2`: R = 2; `nbk_fourier_pass`: any R, roots `[R]`: e^{2πi k / R}.
void nbk_fourier_first4(const float *x, const float *turns, size_t blocks, float sign, float *out);
void nbk_fourier_pass4(const float *x, const float *turns, size_t blocks, size_t width, float sign, float *out);
void nbk_fourier_pass2(const float *x, const float *turns, size_t blocks, size_t width, float sign, float *out);
void nbk_fourier_pass(const float *x, const float *turns, const float *roots, size_t radix, size_t blocks,
                      size_t width, float sign, float *out);

#endif
