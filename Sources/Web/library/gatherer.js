/**
 * Hands on what a source gives, in blocks, by a port: past the page's own thread, if the port goes to a worker. A message is
 * `{ first, channels }`, `first` being a frame of the context, and as many samples of each channel.
 */
export class Gatherer {
    #source;
    #node;

    /**
     * Loads what runs in the audio thread.
     *
     * @param {AudioContext} context
     */
    static load(context) { return context.audioWorklet.addModule(new URL('listener-worklet.js', import.meta.url)); }

    /**
     * @param {AudioNode} source of a context that {@link Gatherer.load} was called for
     * @param {() => void} [onFailure] the audio thread failed, and gives nothing any more
     * @param {number} [channelCount]
     */
    constructor(source, onFailure = () => {}, channelCount = 1) {
        const { port1, port2 } = new MessageChannel();
        /** Where blocks come out. */
        this.blocks = port1;
        this.#source = source;
        this.#node = new AudioWorkletNode(source.context, 'nearby-gatherer', { channelCount, channelCountMode: 'explicit' });
        this.#node.onprocessorerror = onFailure;
        this.#node.port.postMessage('blocks', [port2]);
        // Safari runs only what leads to the loudspeaker; it gets silence.
        source.connect(this.#node).connect(source.context.destination);
    }

    /** No block comes any more. */
    stop() {
        this.#node.port.postMessage('stop');
        this.#source.disconnect(this.#node);
        this.#node.disconnect();
    }
}
