import { bytes, hex } from './hex.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * What a token says, if it is a text that can be read; boxes' random tokens rarely are.
 *
 * @param {Uint8Array} token
 * @returns {string | undefined}
 */
export function readableText(token) {
    try {
        const text = decoder.decode(token);
        // Letters, marks, digits, punctuation, symbols and spaces alone; two bytes of chance often are a text.
        return token.length >= 3 && /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u.test(text) ? text : undefined;
    } catch (error) {
        if (error instanceof TypeError) return undefined;
        throw error;
    }
}

/**
 * Hex digits in groups of four.
 *
 * @param {Uint8Array} token
 */
export function digits(token) { return hex(token).replace(/.{4}(?=.)/g, '$& '); }

/**
 * A token as someone typed it.
 *
 * @param {string} typed
 * @param {'text' | 'hex'} kind
 * @returns {Uint8Array}
 * @throws {RangeError} what is wrong with it
 */
export function typedToken(typed, kind) {
    return kind === 'text' ? new TextEncoder().encode(typed) : bytes(typed.replace(/[\s:]/g, ''));
}
