import { Modem } from './modem.js';

/**
 * What a recording of the sounding says about speaker, room and microphone; null is what noise hid.
 *
 * @typedef {object} ProbeReport
 * @property {number} startSeconds of the first sweep in the recording
 * @property {number} clockSkewPPM positive: a fast player
 * @property {number} peak of the recording
 * @property {number} clippedSamples while the sounding lasts
 * @property {number | null} bandDecibels 18.5–20 kHz over 16–17 kHz
 * @property {number | null} recommendedLevelDBFS the loudest peak that is not distorted
 * @property {number | null} driftDecibels last loud sweep over the first
 * @property {number} noiseDBFS of 18.5–20 kHz
 * @property {number | null} receivedDBFS what a token at the recommended level arrives at
 * @property {number | null} snrDecibels received over noise
 * @property {number} delaySpreadSeconds
 * @property {number | null} rt60Seconds
 * @property {number | null} directToReverberantDecibels
 * @property {(number | null)[]} responseDecibels from 16 kHz on, each 250 Hz, over 16–17 kHz
 * @property {(number | null)[]} noiseStepsDBFS of the same steps
 * @property {{ levelDBFS: number, gainDecibels: number | null, isLinear: boolean }[]} steps from the quietest up
 * @property {ProbeOutlook[]} profiles
 */

/**
 * What that promises for one waveform.
 *
 * @typedef {object} ProbeOutlook
 * @property {string} profile
 * @property {number | null} ebN0Decibels
 * @property {number} thresholdDecibels Eb/N0 at which nine in ten tokens are heard in white noise
 * @property {number} roomDecibels what the room's echoes ask for beyond that
 * @property {number | null} marginDecibels
 * @property {'works' | 'marginal' | 'does not work'} verdict works: with 6 dB in reserve
 */

/** @type {ProbeOutlook['verdict'][]} */
const verdicts = ['does not work', 'marginal', 'works'];

/** Tells whether a loudspeaker and a microphone are fit for tokens, by the analysis of `nearby-modem probe`. */
export class Probe {
    #modem;

    /** @param {Modem} modem */
    constructor(modem) { this.#modem = modem; }

    /** @returns {Promise<Probe>} */
    static async load() { return new Probe(await Modem.load()); }

    /**
     * Six seconds of sweeps from 16 to 22 kHz, which many people hear, peak 1. Record from a second before to a second after them.
     *
     * @param {number} sampleRate
     * @returns {Float32Array}
     */
    sounding(sampleRate) { return this.#modem.sounding(sampleRate); }

    /**
     * What a recording of the sounding says. Takes half a second or so: call it in a worker.
     *
     * @param {Float32Array} recording
     * @param {number} sampleRate
     * @returns {ProbeReport}
     * @throws {RangeError} where it says nothing, and why
     */
    analyse(recording, sampleRate) {
        const numbers = this.#modem.probeNumbers(recording, sampleRate);
        let at = 0;
        const number = () => numbers[at++];
        /** What noise may hide. */
        const maybe = () => {
            const value = numbers[at++];
            return Number.isNaN(value) ? null : value;
        };
        /** @template T @param {() => T} one @returns {T[]} */
        const list = (one) => Array.from({ length: number() }, one);
        return {
            startSeconds: number(), clockSkewPPM: number(), peak: number(), clippedSamples: number(),
            bandDecibels: maybe(), recommendedLevelDBFS: maybe(), driftDecibels: maybe(), noiseDBFS: number(),
            receivedDBFS: maybe(), snrDecibels: maybe(), delaySpreadSeconds: number(), rt60Seconds: maybe(),
            directToReverberantDecibels: maybe(),
            responseDecibels: list(maybe), noiseStepsDBFS: list(maybe),
            steps: list(() => ({ levelDBFS: number(), gainDecibels: maybe(), isLinear: number() === 1 })),
            profiles: list(() => ({
                profile: String.fromCharCode(...list(number)), ebN0Decibels: maybe(),
                thresholdDecibels: number(), roomDecibels: number(), marginDecibels: maybe(), verdict: verdicts[number()],
            })),
        };
    }
}
