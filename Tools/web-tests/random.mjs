/** Numbers that are the same each time: a linear congruential generator, for noise only. */
export class Random {
    #state;

    /** @param {number} seed */
    constructor(seed) { this.#state = seed >>> 0; }

    /** Above 0, below 1. */
    uniform() {
        this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
        return (this.#state + 0.5) / 2 ** 32;
    }

    /** Adds white noise. @param {Float32Array} samples @param {number} sigma */
    addNoise(samples, sigma) {
        for (let index = 0; index < samples.length; index += 2) {
            const radius = sigma * Math.sqrt(-2 * Math.log(this.uniform())), angle = 2 * Math.PI * this.uniform();
            samples[index] += radius * Math.cos(angle);
            if (index + 1 < samples.length) samples[index + 1] += radius * Math.sin(angle);
        }
    }

    /** A token of eight bytes. */
    token() { return Uint8Array.from({ length: 8 }, () => 256 * this.uniform()); }
}
