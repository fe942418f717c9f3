import { hex } from './hex.js';

/** So many frames are known again. */
const mostFrames = 64;

/** What a client has sent of late: its microphone hears its loudspeaker. */
export class OwnFrames {
    /**
     * As hex digits, the last first.
     * @type {string[]}
     */
    #frames = [];

    /** @param {import('./engine-types.js').Broadcast} [broadcast] that is sent from now on */
    note(broadcast) {
        const frames = broadcast?.payloads.map(({ frame }) => hex(frame)) ?? [];
        this.#frames = [...new Set([...frames, ...this.#frames])].slice(0, mostFrames);
    }

    /** @param {Uint8Array} frame */
    has(frame) { return this.#frames.includes(hex(frame)); }
}
