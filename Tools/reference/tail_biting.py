"""The tail-biting code of the FSK waveforms: bits <-> labels of six bits."""

from functools import cache

STATE_COUNT = 4096
#: By bits a step; bit b of a label is the parity of mask b and what the code sees.
MASKS = {
    3: (0x5C7E, 0x60AB, 0x2E23, 0x1EB8, 0x3F4A, 0x33DA),
    2: (0x3146, 0x2C61, 0x1FFE, 0x2849, 0x38F6, 0x286A),
}


@cache
def label(seen: int, bits_per_step: int) -> int:
    """Of `seen`: the state and, below it, the input."""
    return sum(((seen & mask).bit_count() & 1) << b for b, mask in enumerate(MASKS[bits_per_step]))


def encode(bits: list[int], bits_per_step: int) -> list[int]:
    """[n u] bits -> [n] labels."""
    inputs = []
    for first in range(0, len(bits), bits_per_step):
        value = 0
        for bit in bits[first:first + bits_per_step]:
            value = value << 1 | bit
        inputs.append(value)
    state = 0
    for value in inputs:
        state = (state << bits_per_step | value) % STATE_COUNT
    labels = []
    for value in inputs:
        seen = state << bits_per_step | value
        labels.append(label(seen, bits_per_step))
        state = seen % STATE_COUNT
    return labels


def decode_errorless(labels: list[int], bits_per_step: int) -> list[list[int]]:
    """[n] labels -> every message [n u] that has them; none where there was an error.

    Every state is tried as the first one. An input has at most one label from a state, so that wrong ones soon end.
    """
    messages = []
    for first_state in range(STATE_COUNT):
        state, bits = first_state, []
        for wanted in labels:
            found = [
                seen for seen in range(state << bits_per_step, (state + 1) << bits_per_step)
                if label(seen, bits_per_step) == wanted]
            if not found:
                break
            bits += [found[0] >> (bits_per_step - 1 - i) & 1 for i in range(bits_per_step)]
            state = found[0] % STATE_COUNT
        else:
            if state == first_state:
                messages.append(bits)
    return messages
