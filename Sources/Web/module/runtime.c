#include <stddef.h>
#include <stdint.h>

// What Swift's objects expect of the system that they run on, where there is none.

uintptr_t __stack_chk_guard = 0x5bd1e995;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }

// Random numbers seed hash tables and draw jitter; nothing secret is drawn. An AudioWorklet has no source of them, so whoever
// makes an instance hands one in.
static uint64_t state = 88172645463325252;

/// Random bits to begin with. Without it every instance draws the same numbers.
__attribute__((export_name("nbw_seed"))) void nbw_seed(uint32_t low, uint32_t high) {
    state = ((uint64_t)high << 32 | low) | 1;
}

/// The xorshift generator of Marsaglia, "Xorshift RNGs" (2003), §3; its upper bits.
void arc4random_buf(void *buffer, size_t count) {
    uint8_t *bytes = buffer;
    for (size_t index = 0; index < count; index++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[index] = (uint8_t)(state >> 56);
    }
}

/// Reduces an angle beyond 1.6 million to at most π/4, and returns how often π/2 was taken away, modulo 4. It replaces a function of
/// libc whose digits of 2/π would be 0.5 % of the page: no signal has such angles, and here they lose digits.
///
/// The angle is the sum of `pieces[i]` · 2^(exponent − 24 i).
int __rem_pio2_large(double *pieces, double *rest, int exponent, int count, int precision) {
    (void)precision;
    const double half = 1.5707963267948966;
    double angle = 0;
    for (int i = count - 1; i >= 0; i--) angle += __builtin_scalbn(pieces[i], exponent - 24 * i);
    angle = __builtin_fmod(angle, 4 * half);
    int quarters = (int)(angle / half + 0.5);
    rest[0] = angle - quarters * half;
    rest[1] = 0;
    return quarters & 3;
}
