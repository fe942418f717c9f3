/**
 * Bytes as hex digits.
 *
 * @param {Uint8Array} bytes
 * @returns {string}
 */
export function hex(bytes) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Hex digits as bytes. Opposite: {@link hex}.
 *
 * @param {string} text
 * @returns {Uint8Array}
 */
export function bytes(text) {
    if (!/^([0-9a-f]{2})+$/i.test(text)) {
        throw new RangeError(`expected an even number of hex digits, not '${text}'`);
    }
    return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}
