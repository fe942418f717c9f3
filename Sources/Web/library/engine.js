import { toDo } from './action-fields.js';
import { beginning, eventRecord } from './event-fields.js';
import { compile } from './wasm.js';

/**
 * What `nearby.wasm` exports; numbers are places in its memory, or counts.
 *
 * @typedef {{
 *     memory: WebAssembly.Memory,
 *     nbe_input(count: number): number,
 *     nbe_output(): number,
 *     nbe_output_count(): number,
 *     nbe_begin(count: number): number,
 *     nbe_take(count: number): number,
 * }} EngineExports
 */

/**
 * @typedef {object} EngineOptions
 * @property {import('./engine-types.js').Permission} [permission] "undecided" by default
 * @property {string} [offlineKey] text of a key file: messages go sealed, by sound alone
 * @property {Uint8Array} [seed] 32 random bytes; the browser's by default
 * @property {URL | string | Response | BufferSource | WebAssembly.Module} [source]
 *     the module; by default `nearby.wasm`, or with an offline key `nearby-offline.wasm`, beside this file
 */

/** The engine refuses what it is told; the message says why, in a line. Nothing has changed. */
export class EngineError extends Error {}

/** Nearby's engine, the Swift one: a value that is told what happens and says what is to be done. It has no clock and no wires. */
export class Engine {
    #exports;

    /** @param {EngineExports} exports of an instance of its own */
    constructor(exports) { this.#exports = exports; }

    /**
     * @param {EngineOptions} [options]
     * @returns {Promise<Engine>}
     * @throws {EngineError} an offline key that is none
     */
    static async load(options = {}) {
        const { permission = 'undecided', offlineKey, seed, source } = options;
        const module = await compile(source ?? (offlineKey === undefined ? 'nearby.wasm' : 'nearby-offline.wasm'));
        const { exports } = await WebAssembly.instantiate(module, {});
        const engine = new Engine(/** @type {EngineExports} */ (/** @type {unknown} */ (exports)));
        const random = seed ?? crypto.getRandomValues(new Uint8Array(32));
        engine.#call(engine.#exports.nbe_begin, beginning(permission, random, offlineKey));
        return engine;
    }

    /**
     * Tells it of an event. Returns what is to be done, in this order, and when it has something to do by itself: then it is to be told
     * `advance`.
     *
     * @param {import('./engine-types.js').EngineEvent} event
     * @param {number} nowMicroseconds of a clock that goes on and on
     * @param {number} wallMicroseconds since 1970, UTC
     * @throws {EngineError}
     */
    take(event, nowMicroseconds, wallMicroseconds) {
        return toDo(this.#call(this.#exports.nbe_take, eventRecord(event, nowMicroseconds, wallMicroseconds)));
    }

    /**
     * @param {(count: number) => number} call
     * @param {Uint8Array} record
     */
    #call(call, record) {
        const place = this.#exports.nbe_input(record.length);
        if (place === 0) throw new EngineError(`a record of ${record.length} bytes is too long for the engine`);
        new Uint8Array(this.#exports.memory.buffer, place, record.length).set(record);
        const status = call(record.length);
        // Memory that has grown is another buffer.
        const output = new Uint8Array(
            this.#exports.memory.buffer, this.#exports.nbe_output(), this.#exports.nbe_output_count()).slice();
        if (status !== 0) throw new EngineError(new TextDecoder().decode(output));
        return output;
    }
}
