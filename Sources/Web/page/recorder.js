/** Keeps what a source gives, by the library's own gatherer: its worklet has to be loaded. */
export class Recorder {
    #gatherer;
    /** @type {Float32Array[]} */
    #blocks = [];

    /** @param {AudioNode} source */
    constructor(source) {
        const { context } = source;
        this.#gatherer = new AudioWorkletNode(context, 'nearby-gatherer', { channelCount: 1, channelCountMode: 'explicit' });
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = ({ data }) => this.#blocks.push(data.samples);
        this.#gatherer.port.postMessage('blocks', [port2]);
        // Safari runs only what leads to the loudspeaker; it gets silence.
        source.connect(this.#gatherer).connect(context.destination);
    }

    /** Ends, and returns what was heard. */
    finish() {
        this.#gatherer.port.postMessage('stop');
        this.#gatherer.disconnect();
        const all = new Float32Array(this.#blocks.reduce((sum, { length }) => sum + length, 0));
        let at = 0;
        for (const block of this.#blocks) {
            all.set(block, at);
            at += block.length;
        }
        return all;
    }
}
