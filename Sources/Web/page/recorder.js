import { Gatherer } from './gatherer.js';

/** Keeps what a source gives, by the library's own gatherer: its worklet has to be loaded. */
export class Recorder {
    #gatherer;
    /** @type {Float32Array[]} */
    #blocks = [];

    /** @param {AudioNode} source */
    constructor(source) {
        this.#gatherer = new Gatherer(source);
        this.#gatherer.blocks.onmessage = ({ data }) => this.#blocks.push(data.channels[0]);
    }

    /** Ends, and returns what was heard. */
    finish() {
        this.#gatherer.stop();
        const all = new Float32Array(this.#blocks.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const block of this.#blocks) {
            all.set(block, at);
            at += block.length;
        }
        return all;
    }
}
