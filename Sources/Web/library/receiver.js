import { text } from './wasm.js';

/** @typedef {import('./wasm.js').Exports} Exports */

/**
 * A token that was heard.
 *
 * @typedef {object} Heard
 * @property {Uint8Array} token
 * @property {string} profile its name
 * @property {number} startSeconds where the frame begins, from the first sample pushed
 * @property {number} secondsOnAir how long the frame is
 * @property {number} levelDBFS of its band while it sounded, 0 being a full-scale sine
 * @property {number} snrDecibels frame over noise in its band
 * @property {number} ebN0Decibels energy for each of its bits over the noise's density
 * @property {number} speedMetersPerSecond at which sender and receiver approach
 * @property {number} repeats frames that were combined to hear it
 * @property {number} lane the sender's, 0 to 3
 * @property {boolean} isChecked whether check bits held; otherwise the token is only likely
 * @property {number} channel that heard it best, from 0
 */

/** Samples that one call takes; `module/modem.c` has the same number. */
const blockFrames = 4800;

/** Hears tokens. Made by {@link Modem.receiver}; chunks of any size give the same as one long chunk. */
export class Receiver {
    /** @type {Exports} */
    #exports;
    /** @type {number} */
    #handle;
    #channelCount;

    /**
     * @param {Exports} exports
     * @param {number} handle
     * @param {number} channelCount
     */
    constructor(exports, handle, channelCount) {
        this.#exports = exports;
        this.#handle = handle;
        this.#channelCount = channelCount;
    }

    /**
     * Takes the next samples and returns the tokens that are settled by now: loud frames 0.1 s after their end, others of the
     * DSSS profiles a second or so, of the others four or five.
     *
     * @param {...Float32Array} channels as many of each channel, full scale ±1
     * @returns {Heard[]}
     */
    push(...channels) {
        this.#checkOpen();
        const count = this.#channelCount, length = channels[0]?.length;
        if (channels.length !== count || channels.some((samples) => samples.length !== length)) {
            throw new RangeError(`expected ${count} channels of one length, not ${channels.map((samples) => samples.length)}`);
        }
        /** @type {Heard[]} */
        const heard = [];
        for (let first = 0; first < length; first += blockFrames) {
            const frames = Math.min(blockFrames, length - first);
            // A new view each time: memory that has grown has another buffer.
            const block = new Float32Array(this.#exports.memory.buffer, this.#exports.nbw_receiver_block(this.#handle), frames * count);
            channels.forEach((samples, channel) => {
                for (let n = 0; n < frames; n++) block[n * count + channel] = samples[first + n];
            });
            if (this.#exports.nbw_receiver_push(this.#handle, frames) > 0) this.#take(heard);
        }
        return heard;
    }

    /**
     * Sound that was lost: the receiver's time goes on by so many samples, as if they were silent.
     *
     * @param {number} frames
     * @returns {Heard[]}
     */
    skip(frames) {
        this.#checkOpen();
        if (!Number.isSafeInteger(frames) || frames < 0) throw new RangeError(`expected a count of samples, not ${frames}`);
        /** @type {Heard[]} */
        const heard = [];
        if (this.#exports.nbw_receiver_skip(this.#handle, frames) > 0) this.#take(heard);
        return heard;
    }

    /**
     * The end of the sound: what silence after it would bring out. The receiver then begins anew, at 0 s.
     *
     * @returns {Heard[]}
     */
    finish() {
        this.#checkOpen();
        /** @type {Heard[]} */
        const heard = [];
        if (this.#exports.nbw_receiver_finish(this.#handle) > 0) this.#take(heard);
        return heard;
    }

    /** Frees its memory. */
    close() {
        if (this.#handle !== 0) this.#exports.nbw_receiver_free(this.#handle);
        this.#handle = 0;
    }

    #checkOpen() {
        if (this.#handle === 0) throw new TypeError('the receiver is closed');
    }

    /** @param {Heard[]} heard */
    #take(heard) {
        for (let place; (place = this.#exports.nbw_receiver_take(this.#handle)) !== 0;) {
            const view = new DataView(this.#exports.memory.buffer, place);
            const tokenBytes = view.getUint32(44, true);
            heard.push({
                token: new Uint8Array(this.#exports.memory.buffer, place + 88, tokenBytes).slice(),
                profile: text(this.#exports, place + 48),
                startSeconds: view.getFloat64(0, true),
                secondsOnAir: view.getFloat64(8, true),
                levelDBFS: view.getFloat32(16, true),
                snrDecibels: view.getFloat32(20, true),
                ebN0Decibels: view.getFloat32(24, true),
                speedMetersPerSecond: view.getFloat32(28, true),
                repeats: view.getUint32(32, true),
                lane: view.getUint32(36, true),
                isChecked: view.getUint32(40, true) === 1,
                channel: view.getUint32(228, true),
            });
        }
    }
}
