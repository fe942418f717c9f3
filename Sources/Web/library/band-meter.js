import { bandPower } from './band-power.js';

/** Measures, by the browser's own transform, how much of the near-ultrasonic band comes through. */
export class BandMeter {
    #source;
    #analyser;
    #spectrum;
    #samples;
    #hertzPerBin;

    /** @param {AudioNode} source */
    constructor(source) {
        const { context } = source;
        this.#source = source;
        this.#analyser = new AnalyserNode(context, { fftSize: 8192, smoothingTimeConstant: 0.6 });
        source.connect(this.#analyser);
        this.#spectrum = new Float32Array(this.#analyser.frequencyBinCount);
        this.#samples = new Float32Array(this.#analyser.fftSize);
        this.#hertzPerBin = context.sampleRate / this.#analyser.fftSize;
    }

    /**
     * The last tenth of a second or so.
     *
     * @returns {{ levelDBFS: number, bandDecibels: number }}
     *     bandDecibels: mean power in 18.5–20 kHz over that in 8–12 kHz; NaN while there is no sound to compare
     */
    measure() {
        this.#analyser.getFloatFrequencyData(this.#spectrum);
        this.#analyser.getFloatTimeDomainData(this.#samples);
        let energy = 0;
        for (const sample of this.#samples) energy += sample * sample;
        const band = bandPower(this.#spectrum, this.#hertzPerBin, 18_500, 20_000);
        const reference = bandPower(this.#spectrum, this.#hertzPerBin, 8_000, 12_000);
        return {
            levelDBFS: 10 * Math.log10(energy / this.#samples.length),
            // Below the last bit of 16, rounding is all there is.
            bandDecibels: reference > 1e-14 ? 10 * Math.log10(band / reference) : NaN,
        };
    }

    /** Lets the source go. */
    close() { this.#source.disconnect(this.#analyser); }
}
