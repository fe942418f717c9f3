// In the audio thread: gathers what the microphone gives into blocks and hands them to the worker, past the page's own thread.

/** Samples of a block: 43 ms at 48 kHz, 23 messages a second. */
const blockFrames = 2048;

class Gatherer extends AudioWorkletProcessor {
    /** @type {Float32Array[]} */
    #block = [];
    #count = 0;
    /** Where the block begins, in frames of the context. */
    #first = 0;
    /** @type {MessagePort | undefined} the worker's */
    #worker;
    #isOver = false;

    constructor() {
        super();
        this.port.onmessage = ({ data, ports }) => {
            if (data === 'stop') this.#isOver = true;
            else this.#worker = ports[0];
        };
    }

    /** @param {Float32Array[][]} inputs */
    process([channels]) {
        if (this.#isOver) return false;
        // An input that is not connected has no channel; the clock goes on, and the worker sees the gap.
        if (!channels[0] || !this.#worker) return true;
        const { length } = channels[0];
        for (let at = 0; at < length;) {
            if (this.#count === 0) {
                this.#first = currentFrame + at;
                this.#block = channels.map(() => new Float32Array(blockFrames));
            }
            const end = Math.min(length, at + blockFrames - this.#count);
            for (let n = 0; n < this.#block.length; n++) this.#block[n].set(channels[n].subarray(at, end), this.#count);
            this.#count += end - at;
            at = end;
            if (this.#count < blockFrames) break;
            this.#worker.postMessage({ first: this.#first, channels: this.#block }, this.#block.map(({ buffer }) => buffer));
            this.#count = 0;
        }
        return true;
    }
}

registerProcessor('nearby-gatherer', Gatherer);
