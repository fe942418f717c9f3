import { BandMeter } from './band-meter.js';
import { Gatherer } from './gatherer.js';

/** @typedef {import('./microphone.js').Microphone} Microphone */

/** A microphone in a context: its sound in blocks, and how loud it is. */
export class MicrophoneInput {
    #gatherer;
    #meter;

    /**
     * @param {Microphone} microphone that is open; the input closes it
     * @param {AudioContext} context that {@link Gatherer.load} was called for
     * @param {number} most channels that are heard together
     * @param {(why: string) => void} onLost it hears nothing any more
     */
    constructor(microphone, context, most, onLost) {
        this.microphone = microphone;
        this.channelCount = Math.min(most, microphone.channelCount);
        microphone.track.onended = () => onLost('it was unplugged, or taken away');
        this.source = context.createMediaStreamSource(microphone.stream);
        this.#gatherer = new Gatherer(this.source, () => onLost('the browser\'s audio thread failed'), this.channelCount);
        this.#meter = new BandMeter(this.source);
    }

    get blocks() { return this.#gatherer.blocks; }

    /** The last tenth of a second or so. */
    measure() { return this.#meter.measure(); }

    /** What others have connected to the source is theirs. */
    close() {
        this.microphone.track.onended = null;
        this.#gatherer.stop();
        this.#meter.close();
        this.microphone.close();
    }
}
