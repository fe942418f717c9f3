/** @typedef {import('./modem.js').Modem} Modem */

/**
 * The page's side of `modem-worker.js`.
 *
 * @typedef {{ heard?: import('./receiver.js').Heard, contextSeconds?: number, failed?: string, heardUntil?: number }} Told
 */
export class ModemThread {
    #worker;
    /** @type {Map<number, { resolve: (samples: Float32Array) => void, reject: (error: Error) => void }>} */
    #waiting = new Map();
    #lastID = 0;

    /**
     * @param {Modem} modem whose module the thread makes its own modem of
     * @param {(told: Told) => void} [onTold] of what is heard
     */
    constructor(modem, onTold = () => {}) {
        this.#worker = new Worker(new URL('modem-worker.js', import.meta.url), { type: 'module' });
        this.#worker.onmessage = ({ data }) => {
            const request = this.#waiting.get(data.id);
            if (!request) return onTold(data);
            this.#waiting.delete(data.id);
            if (data.samples) request.resolve(data.samples);
            else request.reject(new RangeError(data.error));
        };
        this.#worker.onerror = (event) => {
            const error = new Error(`the modem's thread failed: ${event.message ?? 'it cannot be loaded'}`);
            for (const request of this.#waiting.values()) request.reject(error);
            this.#waiting.clear();
            onTold({ failed: error.message });
        };
        this.#worker.postMessage({ module: modem.module });
    }

    /**
     * As {@link Modem.encode}, without blocking the page.
     *
     * @param {Uint8Array | string} token
     * @param {{ profile?: string, sampleRate: number, lane?: number }} options
     * @returns {Promise<Float32Array>}
     */
    encode(token, options) {
        const id = ++this.#lastID;
        return new Promise((resolve, reject) => {
            this.#waiting.set(id, { resolve, reject });
            this.#worker.postMessage({ encode: { id, token, options } });
        });
    }

    /**
     * Listens from now on for these profiles, to the blocks that come by a port, if one is given.
     *
     * @param {{ profiles: string[], sampleRate: number, channelCount: number }} listen
     * @param {MessagePort} [blocks]
     */
    listen(listen, blocks) { this.#worker.postMessage({ listen }, blocks ? [blocks] : []); }

    /**
     * Drops what was heard before this frame of the context.
     *
     * @param {number} frame
     */
    drop(frame) { this.#worker.postMessage({ dropBefore: frame }); }

    /** Ends the thread. */
    close() {
        this.#worker.terminate();
        for (const request of this.#waiting.values()) request.reject(new Error('the modem\'s thread was closed'));
        this.#waiting.clear();
    }
}
