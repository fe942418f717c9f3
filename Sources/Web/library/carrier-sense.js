import { bandPower } from './band-power.js';

const busyDecibels = 6, besideDecibels = 10;
/** The floor is the quietest look of so many. */
const looks = 128;
/** Nothing is heard of what is softer. */
const leastDecibels = -110;

/**
 * Whether somebody is sending, as `CarrierSense` in Swift tells it: the band's level against the quietest of the last seconds, and against
 * the band below it.
 */
export class CarrierSense {
    #analyser;
    /** @type {Float32Array} */
    #spectrum;
    /** @type {number[]} */
    #levels = [];

    /** @param {AudioNode} source what the microphone gives */
    constructor(source) {
        this.source = source;
        this.#analyser = new AnalyserNode(source.context, { fftSize: 2048, smoothingTimeConstant: 0 });
        this.#spectrum = new Float32Array(this.#analyser.frequencyBinCount);
        source.connect(this.#analyser);
    }

    /** To be asked some twenty times a second while it matters. */
    isBusy() {
        this.#analyser.getFloatFrequencyData(this.#spectrum);
        const now = this.#decibels(18_500, 20_000);
        this.#levels = [...this.#levels, now].slice(-looks);
        if (now < leastDecibels) return false;
        return now > Math.min(...this.#levels) + busyDecibels
            || now > this.#decibels(15_500, 17_000) + besideDecibels;
    }

    /** The analyser lets go. */
    close() { this.source.disconnect(this.#analyser); }

    /**
     * Mean power of a band.
     *
     * @param {number} lowHz
     * @param {number} highHz
     */
    #decibels(lowHz, highHz) {
        const hertzPerBin = this.#analyser.context.sampleRate / this.#analyser.fftSize;
        return 10 * Math.log10(bandPower(this.#spectrum, hertzPerBin, lowHz, highHz) + 1e-20);
    }
}
