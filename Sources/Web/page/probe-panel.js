import { byID } from './dom.js';
import { probeReport } from './probe-report.js';
import { Recorder } from './recorder.js';

/** Seconds recorded before the sounding, and after it: the way through both devices' buffers, and echoes. */
const restSeconds = { before: 0.6, after: 1.4 };

/** Tells what this device's loudspeaker and microphone can do. */
export class ProbePanel {
    #modem;
    #listening;
    #sound;
    #button = byID('probe-button', HTMLButtonElement);
    #state = byID('probe-state', HTMLElement);
    #report = byID('probe-report', HTMLElement);
    /** @type {Worker | undefined} */
    #worker;

    /**
     * @param {Promise<import('./modem.js').Modem>} modem
     * @param {import('./listening.js').Listening} listening
     * @param {import('./sound.js').Sound} sound
     */
    constructor(modem, listening, sound) {
        this.#modem = modem;
        this.#listening = listening;
        this.#sound = sound;
        this.#button.addEventListener('click', () => void this.#run());
        this.#button.disabled = false;
    }

    async #run() {
        const context = this.#sound.begin('probe');
        this.#button.disabled = true;
        this.#report.replaceChildren();
        try {
            if (!await this.#listening.start()) return this.#say('Without a microphone nothing can be tested: see above.');
            this.#say('Getting ready …');
            const { module } = await this.#modem;
            const { sounding } = await this.#ask({ module, soundingAt: context.sampleRate });
            const source = this.#listening.listener?.source;
            if (!source) return this.#say('The microphone went away: try again.');
            this.#say('Playing and listening: eight seconds. Stay quiet, volume up.');
            const recording = await record(context, source, sounding);
            this.#say('Looking at what came back …');
            const { report } = await this.#ask({ recording, sampleRate: source.context.sampleRate });
            this.#report.replaceChildren(...probeReport(report));
            this.#say('Done.');
        } catch (error) {
            // The analysis says what it missed; the rest is a fault of the page, and no secret either.
            this.#say(`Nothing can be said: ${error instanceof Error ? error.message : error}. Turn the volume up, and try again.`);
        } finally {
            this.#button.disabled = false;
            this.#sound.end('probe');
        }
    }

    /**
     * @param {object} request
     * @returns {Promise<{ sounding: Float32Array, report: import('./probe.js').ProbeReport }>}
     */
    #ask(request) {
        const worker = this.#worker ??= new Worker(new URL('probe-worker.js', import.meta.url), { type: 'module' });
        return new Promise((resolve, reject) => {
            worker.onmessage = ({ data }) => data.error ? reject(new Error(data.error)) : resolve(data);
            worker.onerror = () => reject(new Error('the probe could not be loaded'));
            worker.postMessage(request);
        });
    }

    /** @param {string} words */
    #say(words) { this.#state.textContent = words; }
}

/**
 * Plays it, and returns what the source gave meanwhile.
 *
 * @param {AudioContext} context
 * @param {AudioNode} source
 * @param {Float32Array} sounding
 * @returns {Promise<Float32Array>}
 */
async function record(context, source, sounding) {
    const recorder = new Recorder(source);
    const buffer = new AudioBuffer({ length: sounding.length, sampleRate: context.sampleRate });
    buffer.copyToChannel(sounding, 0);
    const player = new AudioBufferSourceNode(context, { buffer });
    player.connect(context.destination);
    player.start(context.currentTime + restSeconds.before);
    await new Promise((resolve) => { player.onended = resolve; });
    await new Promise((resolve) => setTimeout(resolve, 1000 * restSeconds.after));
    return recorder.finish();
}
