#include <stddef.h>
#include <stdint.h>

// What Embedded Swift expects of a system. The standard library's own random numbers seed its hashes alone here: tables that a
// stranger could fill on purpose are bounded anyway, and what needs a strong generator is given one.

uintptr_t __stack_chk_guard = 0x5bd1e995;

void __stack_chk_fail(void) { __builtin_trap(); }

static uint64_t state = 0x9e3779b97f4a7c15;

void arc4random_buf(void *buffer, size_t count) {
    uint8_t *bytes = buffer;
    for (size_t i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        bytes[i] = (uint8_t)(state >> 32);
    }
}
