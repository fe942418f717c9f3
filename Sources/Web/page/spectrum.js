/** Decibels from the darkest colour to the brightest, unless it is louder, and how far below the noise the darkest lies. */
const rangeDecibels = { least: 34, belowNoise: 1 };
/** The window: 93 ms at 44.1 kHz, bins of 11 Hz. */
const windowFrames = 4096;

/** Levels of a band, one for each row of a picture, as the browser's own transform gives them. */
export class Spectrum {
    #source;
    #analyser;
    #bins;
    /** @type {{ first: number, end: number }[]} */
    #rows = [];
    #levels = new Float32Array(0);
    #sorted = new Float32Array(0);
    /** Decibels of the noise, smoothed. */
    #noise = NaN;
    /** Decibels of the loudest of late. */
    #loudest = -150;

    /** @param {AudioNode} source */
    constructor(source) {
        this.#analyser = new AnalyserNode(source.context, { fftSize: windowFrames, smoothingTimeConstant: 0.45 });
        source.connect(this.#analyser);
        this.#source = source;
        this.#bins = new Float32Array(this.#analyser.frequencyBinCount);
    }

    /** On the context's clock, the middle of what is measured now. */
    get seconds() {
        const { currentTime, sampleRate } = this.#analyser.context;
        return currentTime - windowFrames / 2 / sampleRate;
    }

    /**
     * Measures this band from now on, the topmost row being its highest part.
     *
     * @param {{ lowHz: number, highHz: number }} band
     * @param {number} rows
     */
    setBand({ lowHz, highHz }, rows) {
        const hertzPerBin = this.#analyser.context.sampleRate / windowFrames;
        const last = this.#bins.length;
        this.#rows = Array.from({ length: rows }, (_, row) => {
            const low = (highHz - (row + 1) * (highHz - lowHz) / rows) / hertzPerBin;
            const first = Math.min(Math.floor(low), last);
            return { first, end: Math.min(Math.max(first + 1, Math.floor(low + (highHz - lowHz) / rows / hertzPerBin)), last) };
        });
        this.#levels = new Float32Array(rows);
        this.#sorted = new Float32Array(rows);
        this.#noise = NaN;
        this.#loudest = -150;
    }

    /**
     * The levels now, 0 to 1 above the noise; the same array each time.
     *
     * @returns {Float32Array}
     */
    levels() {
        this.#analyser.getFloatFrequencyData(this.#bins);
        const levels = this.#levels;
        this.#rows.forEach(({ first, end }, row) => {
            let sum = 0;
            for (let bin = first; bin < end; bin++) sum += Math.max(this.#bins[bin], -150);
            levels[row] = end > first ? sum / (end - first) : -150;
        });
        const darkest = this.#noiseOf(levels) - rangeDecibels.belowNoise;
        let loudest = this.#loudest - 0.15;
        for (const level of levels) loudest = Math.max(loudest, level);
        this.#loudest = loudest;
        const range = Math.max(rangeDecibels.least, loudest - darkest);
        for (let row = 0; row < levels.length; row++) {
            levels[row] = Math.min(Math.max((levels[row] - darkest) / range, 0), 1);
        }
        return levels;
    }

    /**
     * What a third of the rows are quieter than, over some seconds: frames fill a quarter of the near-ultrasonic picture.
     *
     * @param {Float32Array} levels
     */
    #noiseOf(levels) {
        this.#sorted.set(levels);
        const now = this.#sorted.sort()[Math.floor(levels.length / 3)];
        // Silence before the first sound, or another room, is not to be waited for.
        const pace = Math.abs(now - this.#noise) > 12 ? 0.4 : 0.03;
        this.#noise = Number.isNaN(this.#noise) ? now : this.#noise + pace * (now - this.#noise);
        return this.#noise;
    }

    /** Measures no more. */
    close() { this.#source.disconnect(this.#analyser); }
}
