/**
 * The modem: tokens of 1 to 140 bytes as sound, and back. Runs in pages, workers, worklets and node; needs nothing but
 * `modem.wasm`, which has no imports.
 *
 * @module
 */

import { bytes } from './hex.js';
import { Receiver } from './receiver.js';
import { compile, hasVectors, text } from './wasm.js';

export { bytes, hex } from './hex.js';
export { Receiver } from './receiver.js';

/** @typedef {import('./receiver.js').Heard} Heard */
/** @typedef {import('./wasm.js').Exports} Exports */

/**
 * A waveform: both ends must have the same.
 *
 * @typedef {object} ProfileInfo
 * @property {string} name as in options: "dsss"
 * @property {number} bandLowHz where its energy is
 * @property {number} bandHighHz where its energy is
 * @property {number} secondsOnAir of a frame with a token of 8 bytes
 * @property {number} minTokenBytes shortest token
 * @property {number} maxTokenBytes longest token
 * @property {number} minSampleRateHz lowest rate that holds the band
 * @property {boolean} isChecked whether check bits tell tokens from chance
 */

/** The modem, with memory of its own: one belongs to one thread. */
export class Modem {
    /** @type {Exports} */
    #exports;
    /**
     * What it was made of; may be posted to workers, where `new Modem(module)` is another one.
     * @type {WebAssembly.Module}
     */
    module;
    /**
     * Every waveform, the default first.
     * @type {readonly ProfileInfo[]}
     */
    profiles;
    /**
     * The most channels that a receiver hears together: one, or with `modem-array.wasm` eight.
     * @type {number}
     */
    mostChannels;

    /**
     * Makes one of a compiled module, at once; not on a page's own thread, where browsers forbid it: see {@link Modem.load}.
     *
     * @param {WebAssembly.Module} module
     * @param {WebAssembly.Instance} [instance] of it
     */
    constructor(module, instance = new WebAssembly.Instance(module, {})) {
        this.module = module;
        this.#exports = /** @type {Exports} */ (/** @type {unknown} */ (instance.exports));
        // Hash tables and nothing else: worklets have no `crypto`.
        this.#exports.nbw_seed(Math.random() * 2 ** 32, Math.random() * 2 ** 32);
        this.profiles = Object.freeze(this.#readProfiles());
        this.mostChannels = this.#exports.nbw_most_channels();
    }

    /**
     * Compiles the module that lies beside this file, the one without SIMD where the browser has none, or what it is given: for
     * several channels, `'modem-array.wasm'`, which needs SIMD and is a sixth larger.
     *
     * @param {URL | string | Response | BufferSource | WebAssembly.Module} [source] a string is relative to this file
     * @returns {Promise<Modem>}
     */
    static async load(source) {
        const name = hasVectors() ? 'modem.wasm' : 'modem-scalar.wasm';
        const module = await compile(source ?? name);
        return new Modem(module, await WebAssembly.instantiate(module, {}));
    }

    /**
     * The profile of that name.
     *
     * @param {string} name
     * @returns {ProfileInfo}
     */
    profile(name) {
        const found = this.profiles.find((profile) => profile.name === name);
        if (found) return found;
        const names = this.profiles.map((profile) => profile.name).join(', ');
        throw new RangeError(`there is no profile '${name}'; expected one of ${names}`);
    }

    /**
     * One frame as samples, peak 1. The waveform is made at the rate given: never let a browser convert it.
     *
     * @param {Uint8Array | string} token bytes, or hex digits
     * @param {{ profile?: string, sampleRate: number, lane?: number }} options
     *     lane: 0 to 3; boxes that overlap in time are best kept on different lanes
     * @returns {Float32Array}
     */
    encode(token, options) {
        const profile = this.profile(options.profile ?? 'dsss');
        const rate = checkedRate(options.sampleRate, [profile]);
        const lane = options.lane ?? 0;
        if (![0, 1, 2, 3].includes(lane)) throw new RangeError(`expected a lane of 0 to 3, not ${lane}`);
        const content = typeof token === 'string' ? bytes(token) : token;
        const { minTokenBytes, maxTokenBytes } = profile;
        if (!(content.length >= minTokenBytes && content.length <= maxTokenBytes)) {
            throw new RangeError(
                `a token of ${profile.name} has ${minTokenBytes} to ${maxTokenBytes} bytes, not ${content.length}`);
        }
        return this.#withMemory([profile.name.length + 1, content.length, 4], ([name, place, count]) => {
            this.#writeName(name, profile.name);
            this.#bytes(place, content.length).set(content);
            this.#check(this.#exports.nbm_encode(name, rate, lane, place, content.length, 0, 0, count));
            const total = new DataView(this.#exports.memory.buffer).getUint32(count, true);
            return this.#withMemory([4 * total], ([samples]) => {
                this.#check(this.#exports.nbm_encode(name, rate, lane, place, content.length, samples, total, count));
                return new Float32Array(this.#exports.memory.buffer, samples, total).slice();
            });
        });
    }

    /**
     * Makes a receiver.
     *
     * @param {{ profiles?: string[], sampleRate: number, channelCount?: number }} options
     *     profiles: what to listen for, "dsss" alone by default; each costs its own search.
     *     channelCount: one by default, at most {@link mostChannels}, which are heard together
     * @returns {Receiver}
     */
    receiver(options) {
        const { channelCount = 1 } = options, most = this.mostChannels;
        if (!(Number.isInteger(channelCount) && channelCount >= 1 && channelCount <= most)) {
            const hint = most === 1 ? '; modem-array.wasm hears several' : '';
            throw new RangeError(`expected 1 to ${most} channels, not ${channelCount}${hint}`);
        }
        const names = options.profiles ?? ['dsss'];
        if (names.length === 0) throw new RangeError('expected a profile to listen for');
        const rate = checkedRate(options.sampleRate, names.map((name) => this.profile(name)));
        const list = names.join(',');
        return this.#withMemory([list.length + 1, 4], ([place, result]) => {
            this.#writeName(place, list);
            const handle = this.#exports.nbw_receiver_new(place, rate, channelCount, result);
            this.#check(new DataView(this.#exports.memory.buffer).getUint32(result, true));
            return new Receiver(this.#exports, handle, channelCount);
        });
    }

    /**
     * For {@link import('./probe.js').Probe}: the sounding.
     *
     * @param {number} sampleRate
     * @returns {Float32Array}
     */
    sounding(sampleRate) {
        const rate = checkedRate(sampleRate, []);
        return this.#withMemory([4], ([count]) => {
            const place = this.#exports.nbw_sounding(rate, count);
            const total = new DataView(this.#exports.memory.buffer).getUint32(count, true);
            const samples = new Float32Array(this.#exports.memory.buffer, place, total).slice();
            this.#exports.free(place);
            return samples;
        });
    }

    /**
     * For {@link import('./probe.js').Probe}: what a recording of the sounding says, in its order.
     *
     * @param {Float32Array} recording
     * @param {number} sampleRate
     * @returns {Float64Array}
     * @throws {RangeError} where it says nothing, and why
     */
    probeNumbers(recording, sampleRate) {
        const rate = checkedRate(sampleRate, []);
        return this.#withMemory([4 * recording.length, 200], ([samples, reason]) => {
            new Float32Array(this.#exports.memory.buffer, samples, recording.length).set(recording);
            const place = this.#exports.nbw_probe(samples, recording.length, rate, reason);
            if (place === 0) throw new RangeError(text(this.#exports, reason));
            const { buffer } = this.#exports.memory;
            const numbers = new Float64Array(buffer, place + 8, new DataView(buffer).getFloat64(place, true)).slice();
            this.#exports.free(place);
            return numbers;
        });
    }

    /** @returns {ProfileInfo[]} */
    #readProfiles() {
        const profiles = [];
        for (let place; (place = this.#exports.nbw_profile_at(profiles.length)) !== 0;) {
            const view = new DataView(this.#exports.memory.buffer, place);
            profiles.push({
                name: text(this.#exports, place + 40),
                bandLowHz: view.getFloat64(0, true),
                bandHighHz: view.getFloat64(8, true),
                secondsOnAir: view.getFloat64(16, true),
                minTokenBytes: view.getUint32(24, true),
                maxTokenBytes: view.getUint32(28, true),
                minSampleRateHz: view.getUint32(32, true),
                isChecked: view.getUint32(36, true) === 1,
            });
        }
        return profiles;
    }

    /**
     * Calls with so many bytes each, which are freed afterwards.
     *
     * @template T
     * @param {number[]} counts
     * @param {(places: number[]) => T} body
     * @returns {T}
     */
    #withMemory(counts, body) {
        const places = counts.map((count) => this.#exports.malloc(Math.max(count, 1)));
        try {
            if (places.includes(0)) throw new RangeError(`there is no memory for ${counts.join(' and ')} bytes`);
            return body(places);
        } finally {
            for (const place of places) this.#exports.free(place);
        }
    }

    /**
     * @param {number} place
     * @param {number} count
     */
    #bytes(place, count) { return new Uint8Array(this.#exports.memory.buffer, place, count); }

    /**
     * @param {number} place
     * @param {string} name ASCII
     */
    #writeName(place, name) {
        const room = this.#bytes(place, name.length + 1);
        for (let index = 0; index < name.length; index++) room[index] = name.charCodeAt(index);
        room[name.length] = 0;
    }

    /** @param {number} result of a function of the C library */
    #check(result) {
        if (result !== 0) throw new RangeError(text(this.#exports, this.#exports.nbm_error_string(result)));
    }
}

/**
 * @param {number} rate
 * @param {ProfileInfo[]} profiles
 * @returns {number}
 */
function checkedRate(rate, profiles) {
    if (!Number.isInteger(rate) || rate < 8000 || rate > 384000) {
        throw new RangeError(`expected a sample rate of 8000 to 384000 Hz, not ${rate}`);
    }
    const beyond = profiles.find((profile) => profile.minSampleRateHz > rate);
    if (beyond) throw new RangeError(`${beyond.name} needs ${beyond.minSampleRateHz} Hz or more, not ${rate}`);
    return rate;
}
