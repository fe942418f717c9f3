/**
 * What the module exports; numbers are places in its memory, or counts.
 *
 * @typedef {{
 *     memory: WebAssembly.Memory,
 *     malloc(count: number): number,
 *     free(place: number): void,
 *     nbw_seed(low: number, high: number): void,
 *     nbw_profile_at(index: number): number,
 *     nbw_most_channels(): number,
 *     nbw_receiver_new(names: number, rate: number, channels: number, result: number): number,
 *     nbw_receiver_free(receiver: number): void,
 *     nbw_receiver_block(receiver: number): number,
 *     nbw_receiver_push(receiver: number, count: number): number,
 *     nbw_receiver_skip(receiver: number, count: number): number,
 *     nbw_receiver_finish(receiver: number): number,
 *     nbw_receiver_take(receiver: number): number,
 *     nbw_sounding(rate: number, count: number): number,
 *     nbw_probe(samples: number, count: number, rate: number, reason: number): number,
 *     nbm_encode(profile: number, rate: number, lane: number, token: number, bytes: number, samples: number,
 *         capacity: number, count: number): number,
 *     nbm_error_string(result: number): number,
 * }} Exports
 */

/** A module of one function that uses a vector: only engines with SIMD128 (Safari from 16.4 on) take it. */
const vectorProbe = Uint8Array.of(
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Whether this engine knows SIMD128. */
export function hasVectors() {
    return WebAssembly.validate(vectorProbe);
}

/**
 * ASCII that ends with a zero; worklets have no TextDecoder.
 *
 * @param {Exports} exports
 * @param {number} place
 */
export function text(exports, place) {
    const memory = new Uint8Array(exports.memory.buffer);
    let letters = '';
    for (let at = place; memory[at] !== 0; at++) letters += String.fromCharCode(memory[at]);
    return letters;
}

/**
 * Compiles a module, that of the name beside this file, or what is given.
 *
 * @param {URL | string | Response | BufferSource | WebAssembly.Module} source a string is relative to this file
 * @returns {Promise<WebAssembly.Module>}
 */
export async function compile(source) {
    if (source instanceof WebAssembly.Module) return source;
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
    if (source instanceof Response) return compileAnswer(source);
    const address = new URL(source, import.meta.url);
    if (address.protocol !== 'file:') return compileAnswer(await fetch(address));
    // In node, which fetches no files.
    // @ts-ignore: node's declarations are not at hand.
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(address));
}

/** @param {Response} answer */
async function compileAnswer(answer) {
    if (!answer.ok) throw new Error(`${answer.url}: expected the module, got ${answer.status} ${answer.statusText}`);
    // A server that does not know the type of .wasm must not keep anyone from hearing.
    const isTyped = answer.headers.get('content-type')?.startsWith('application/wasm');
    return isTyped ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}
