// In the audio thread: gathers what the microphone gives into blocks and hands them to the worker, past the page's own thread.

/** Samples of a block: 43 ms at 48 kHz, 23 messages a second. */
const blockFrames = 2048;

class Gatherer extends AudioWorkletProcessor {
    #block = new Float32Array(blockFrames);
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
    process([[samples]]) {
        if (this.#isOver) return false;
        // An input that is not connected has no channel; the clock goes on, and the worker sees the gap.
        if (!samples || !this.#worker) return true;
        for (let at = 0; at < samples.length;) {
            if (this.#count === 0) this.#first = currentFrame + at;
            const part = samples.subarray(at, at + blockFrames - this.#count);
            this.#block.set(part, this.#count);
            this.#count += part.length;
            at += part.length;
            if (this.#count < blockFrames) break;
            this.#worker.postMessage({ first: this.#first, samples: this.#block }, [this.#block.buffer]);
            this.#block = new Float32Array(blockFrames);
            this.#count = 0;
        }
        return true;
    }
}

registerProcessor('nearby-gatherer', Gatherer);
