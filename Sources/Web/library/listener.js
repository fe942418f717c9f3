import { BandMeter } from './band-meter.js';
import { Gatherer } from './gatherer.js';
import { Microphone } from './microphone.js';
import { Modem } from './modem.js';
import { ModemThread } from './modem-thread.js';
import { ProblemList } from './problem-list.js';
import { bandProblems, ListenerError, problem } from './problems.js';

export { ListenerError };

/** @typedef {import('./receiver.js').Heard} Heard */
/** @typedef {import('./problems.js').Problem} Problem */
/** @typedef {import('./problems.js').ProblemKind} ProblemKind */
/** @typedef {'listening' | 'suspended' | 'reconnecting' | 'stopped'} ListenerState */

/** @typedef {import('./listener-options.js').Health} Health */
/** @typedef {import('./listener-options.js').ListenerOptions} ListenerOptions */
/** @typedef {import('./listener-options.js').ListenerEvents} ListenerEvents */

/** Seconds of lag at which sound is dropped, and at which the receiver has caught up. */
const lagSeconds = { most: 5, caughtUp: 1 };
/** An honest path has 0 to −30 dB; browsers' processing, −70. */
const bandDecibels = { filtered: -50, whole: -42 };

/**
 * The microphone, heard by the modem in a thread of its own.
 *
 * A microphone that goes away is waited for; a page that comes back into view goes on.
 */
export class Listener extends /** @type {new () => import('./emitter.js').Emitter<ListenerEvents>} */ (EventTarget) {
    /** @type {AudioContext} */
    context;
    /**
     * What the microphone gives, for an AnalyserNode; another one after each `state` of `listening`.
     * @type {AudioNode | undefined}
     */
    source;
    /** @type {Health | undefined} */
    health;
    /** @type {ListenerState} */
    state = 'reconnecting';

    #options;
    #modem;
    #ownsContext;
    /** @type {ModemThread} */
    #thread;
    /** @type {Microphone | undefined} */
    #microphone;
    /** @type {Gatherer | undefined} */
    #gatherer;
    /** @type {BandMeter | undefined} */
    #meter;
    #problems = new ProblemList((raised, solved) => this.#tellProblem(raised, solved));
    #heardUntil = 0;
    /** @type {string[]} */
    #activeProfiles = [];
    #isOpening = false;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    #timer;

    /**
     * @param {Modem} modem
     * @param {ListenerOptions} options
     */
    constructor(modem, options) {
        super();
        this.#modem = modem;
        this.#options = options;
        this.#ownsContext = !options.context;
        this.context = options.context ?? new AudioContext({ latencyHint: 'interactive' });
        this.#thread = new ModemThread(modem, (told) => this.#take(told));
    }

    /**
     * Begins to listen. Call it in a handler of a tap: browsers let no other begin to sound or hear.
     *
     * @param {ListenerOptions} [options]
     * @returns {Promise<Listener>}
     * @throws {ListenerError}
     */
    static async start(options = {}) {
        if (typeof WebAssembly === 'undefined') throw new ListenerError(problem('no-webassembly'));
        // Both take a while, and the context must begin within the tap.
        const opening = Microphone.open(options.deviceId, options.audio);
        const loading = options.modem ?? Modem.load();
        const [opened, loaded] = await Promise.allSettled([opening, loading]);
        if (opened.status === 'rejected') throw opened.reason;
        if (loaded.status === 'rejected') {
            opened.value.close();
            throw loaded.reason;
        }
        const listener = new Listener(loaded.value, options);
        try {
            await listener.#begin(opened.value);
        } catch (error) {
            await listener.stop();
            throw error;
        }
        return listener;
    }

    /**
     * What is wrong now.
     *
     * @returns {readonly Problem[]}
     */
    get problems() { return this.#problems.all; }

    /**
     * Listens for these profiles from now on.
     *
     * @param {string[]} profiles
     */
    setProfiles(profiles) {
        for (const name of profiles) this.#modem.profile(name);
        this.#options = { ...this.#options, profiles };
        this.#applyProfiles();
    }

    /**
     * Listens by another microphone from now on.
     *
     * @param {string} [deviceId] by default the browser's choice
     */
    async setDevice(deviceId) {
        if (this.state === 'stopped' || deviceId === this.#options.deviceId) return;
        this.#options = { ...this.#options, deviceId };
        this.#disconnect();
        this.#setState('reconnecting');
        await this.#reopen();
    }

    /** Lets the microphone go. */
    async stop() {
        if (this.state === 'stopped') return;
        clearInterval(this.#timer);
        document.removeEventListener('visibilitychange', this.#onReturn);
        navigator.mediaDevices?.removeEventListener('devicechange', this.#onReturn);
        this.#disconnect();
        this.#thread.close();
        this.#setState('stopped');
        if (this.#ownsContext && this.context.state !== 'closed') await this.context.close();
    }

    /** @param {Microphone} microphone */
    async #begin(microphone) {
        await Gatherer.load(this.context);
        this.context.onstatechange = () => this.#noteContext();
        document.addEventListener('visibilitychange', this.#onReturn);
        navigator.mediaDevices.addEventListener('devicechange', this.#onReturn);
        this.#timer = setInterval(() => this.#everySecond(), 1000);
        this.#connect(microphone);
        await this.#resume();
    }

    /** @param {Microphone} microphone */
    #connect(microphone) {
        this.#microphone = microphone;
        microphone.track.onended = () => this.#lose('it was unplugged, or taken away');
        const source = this.context.createMediaStreamSource(microphone.stream);
        const gatherer = new Gatherer(source, () => this.#lose('the browser\'s audio thread failed'));
        [this.source, this.#gatherer, this.#meter] = [source, gatherer, new BandMeter(source)];
        this.#activeProfiles = [];
        this.#problems.note('processing', microphone.processing !== '', microphone.processing);
        const rate = microphone.sampleRate;
        this.#problems.note('low-rate', rate !== undefined && rate < 40_000, `${rate}`);
        this.#applyProfiles(gatherer.blocks);
        this.#problems.solve('device-lost');
        this.#noteContext();
    }

    #disconnect() {
        if (this.#microphone) this.#microphone.track.onended = null;
        // What others have connected to the source is theirs.
        this.#gatherer?.stop();
        this.#meter?.close();
        this.#microphone?.close();
        this.#gatherer = this.#meter = this.#microphone = undefined;
    }

    /** @param {string} why */
    #lose(why) {
        if (this.state === 'stopped' || !this.#microphone) return;
        this.#disconnect();
        this.#problems.raise('device-lost', why);
        this.#setState('reconnecting');
    }

    /** Something may be there again: the page, the context, a microphone. */
    #onReturn = () => {
        if (document.visibilityState === 'visible') void this.#resume();
        void this.#reopen();
    };

    async #reopen() {
        if (this.#microphone || this.#isOpening || this.state === 'stopped') return;
        this.#isOpening = true;
        const { deviceId, audio } = this.#options;
        try {
            const microphone = await Microphone.open(deviceId, audio);
            // It may have been stopped meanwhile, or another one chosen.
            const isWanted = /** @type {ListenerState} */ (this.state) !== 'stopped' && deviceId === this.#options.deviceId;
            if (isWanted) this.#connect(microphone);
            else microphone.close();
        } catch (error) {
            // The next second tries again; until then the problem says what is missing.
            if (!(error instanceof ListenerError)) throw error;
            if (!this.#problems.has('device-lost')) this.#problems.raise('device-lost', 'the chosen one does not open');
        } finally {
            this.#isOpening = false;
        }
    }

    async #resume() {
        if (this.context.state === 'closed') return;
        // Without a tap some browsers never answer; then the problem stays.
        await Promise.race([this.context.resume(), new Promise((resolve) => setTimeout(resolve, 500))]);
        this.#noteContext();
    }

    #noteContext() {
        if (this.state === 'stopped' || !this.#microphone) return;
        const runs = this.context.state === 'running';
        this.#problems.note('suspended', !runs);
        this.#setState(runs ? 'listening' : 'suspended');
    }

    #everySecond() {
        if (!this.#microphone || !this.#meter) return void this.#reopen();
        const measured = this.#meter.measure();
        const { label } = this.#microphone.track;
        const { echoCancellation, noiseSuppression, autoGainControl } = this.#microphone.track.getSettings();
        const lag = this.#heardUntil > 0 ? this.context.currentTime - this.#heardUntil / this.context.sampleRate : 0;
        this.health = {
            sampleRate: this.context.sampleRate, deviceLabel: label, echoCancellation, noiseSuppression, autoGainControl,
            ...measured, lagSeconds: Math.max(0, lag), profiles: this.#activeProfiles,
        };
        if (this.context.state === 'running') this.#judge(this.health);
        this.dispatchEvent(new CustomEvent('health', { detail: this.health }));
    }

    /** @param {Health} health */
    #judge(health) {
        const { bandDecibels: band, levelDBFS, lagSeconds: lag } = health;
        const limit = this.#problems.has('filtered') ? bandDecibels.whole : bandDecibels.filtered;
        this.#problems.measure('silent', levelDBFS < -120 || this.#microphone?.track.muted === true);
        if (!Number.isNaN(band)) this.#problems.measure('filtered', band < limit, band.toFixed(0));
        if (lag > lagSeconds.most) {
            this.#thread.drop(Math.round(this.context.currentTime * this.context.sampleRate));
            this.#problems.raise('lagging');
        } else if (lag < lagSeconds.caughtUp) {
            this.#problems.solve('lagging');
        }
    }

    /**
     * @param {Problem | undefined} raised
     * @param {ProblemKind | undefined} solved
     */
    #tellProblem(raised, solved) {
        this.#applyProfiles();
        if (raised) this.dispatchEvent(new CustomEvent('problem', { detail: raised }));
        else this.dispatchEvent(new CustomEvent('solved', { detail: solved }));
    }

    /**
     * What was asked for, and what is heard all the same where the band does not come through.
     *
     * @param {MessagePort} [blocks]
     */
    #applyProfiles(blocks) {
        const asked = this.#options.profiles ?? ['dsss', 'dsss-quick', 'dsss-far'];
        const isAudible = this.problems.some(({ kind }) => bandProblems.has(kind));
        const fallback = isAudible ? this.#options.fallback ?? ['fsk-audible'] : [];
        const rate = this.context.sampleRate;
        const profiles = [...new Set([...asked, ...fallback])]
            .filter((name) => this.#modem.profile(name).minSampleRateHz <= rate);
        if (!blocks && profiles.join() === this.#activeProfiles.join()) return;
        this.#activeProfiles = profiles;
        this.#thread.listen({ profiles, sampleRate: rate }, blocks);
    }

    /** @param {import('./modem-thread.js').Told} told */
    #take({ heard, contextSeconds, failed, heardUntil }) {
        if (heardUntil !== undefined) this.#heardUntil = heardUntil;
        if (failed !== undefined) this.#problems.raise('receiver-failed', failed);
        if (heard) this.dispatchEvent(new CustomEvent('heard', { detail: { ...heard, contextSeconds } }));
    }

    /** @param {ListenerState} state */
    #setState(state) {
        if (this.state === state) return;
        this.state = state;
        this.dispatchEvent(new CustomEvent('state', { detail: state }));
    }
}
