import { begin, newContext, renewed } from './audio-watch.js';
import { MicrophoneInput } from './microphone-input.js';
import { Gatherer } from './gatherer.js';
import { healthOf, isFiltered, moduleName, wantedProfiles } from './listener-options.js';
import { Microphone } from './microphone.js';
import { Modem } from './modem.js';
import { ModemThread } from './modem-thread.js';
import { ProblemList } from './problem-list.js';
import { bandProblems, ListenerError, problem } from './problems.js';
import { Recovery } from './recovery.js';

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
const wallSeconds = () => performance.now() / 1000;

/**
 * The microphone, heard by the modem in a thread of its own.
 *
 * A microphone that goes away, or whose sound stands still, is opened anew; a page that comes back into view goes on.
 */
export class Listener extends /** @type {new () => import('./emitter.js').Emitter<ListenerEvents>} */ (EventTarget) {
    /**
     * Another one after the system's sound stood still, unless it is the page's.
     * @type {AudioContext}
     */
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
    /** @type {MicrophoneInput | undefined} */
    #input;
    #problems = new ProblemList((raised, solved) => this.#tellProblem(raised, solved));
    #heardUntil = 0;
    /** @type {string[]} */
    #activeProfiles = [];
    #isOpening = false;
    #recovery = new Recovery();
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
        this.context = options.context ?? newContext();
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
        const opening = Microphone.open(options.deviceId, options.audio, options.microphones);
        const loading = options.modem ?? Modem.load(moduleName(options.microphones));
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
        await this.#prepare();
        document.addEventListener('visibilitychange', this.#onReturn);
        navigator.mediaDevices.addEventListener('devicechange', this.#onReturn);
        this.#timer = setInterval(() => this.#everySecond(), 1000);
        this.#connect(microphone);
        await this.#resume();
    }

    async #prepare() {
        await Gatherer.load(this.context);
        this.context.onstatechange = () => this.#noteContext();
        // Chromium calls a context that has lost its device suspended, and this alone tells it from a pause.
        this.context.addEventListener('error', () => {
            this.#recovery.isContextDead = true;
            this.#lose('the system\'s sound failed');
        });
    }

    /** @param {Microphone} microphone */
    #connect(microphone) {
        const most = Math.min(this.#options.microphones ?? 1, this.#modem.mostChannels);
        this.#input = new MicrophoneInput(microphone, this.context, most, (why) => this.#lose(why));
        this.source = this.#input.source;
        this.#activeProfiles = [];
        this.#problems.note('processing', microphone.processing !== '', microphone.processing);
        const { sampleRate } = microphone;
        this.#problems.note('low-rate', sampleRate !== undefined && sampleRate < 40_000, `${sampleRate}`);
        this.#applyProfiles(this.#input.blocks);
        this.#problems.solve('device-lost');
        this.#noteContext();
    }

    #disconnect() {
        this.#input?.close();
        this.#input = undefined;
    }

    /** @param {string} why */
    #lose(why) {
        if (this.state === 'stopped' || !this.#input) return;
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
        if (this.#input || this.#isOpening || this.state === 'stopped') return;
        this.#isOpening = true;
        this.#recovery.begin(wallSeconds());
        const { deviceId, audio, microphones } = this.#options;
        try {
            if (this.#recovery.isContextDead) {
                this.context = await renewed(this.context, this.#ownsContext);
                await this.#prepare();
                await this.#resume();
                this.#recovery.isContextDead = false;
            }
            const microphone = await Microphone.open(deviceId, audio, microphones);
            // It may have been stopped meanwhile, or another one chosen.
            const isWanted = /** @type {ListenerState} */ (this.state) !== 'stopped' && deviceId === this.#options.deviceId;
            if (isWanted) this.#connect(microphone);
            else microphone.close();
        } catch (error) {
            // It is tried again later; until then the problem says what is missing.
            if (!(error instanceof ListenerError || this.#recovery.isContextDead)) throw error;
            if (!this.#problems.has('device-lost')) this.#problems.raise('device-lost', 'the chosen one does not open');
        } finally {
            this.#isOpening = false;
        }
    }

    async #resume() {
        await begin(this.context);
        this.#noteContext();
    }

    #noteContext() {
        if (this.state === 'stopped' || !this.#input) return;
        const runs = this.context.state === 'running';
        this.#problems.note('suspended', !runs);
        this.#setState(runs ? 'listening' : 'suspended');
    }

    #everySecond() {
        if (!this.#input) return this.#recovery.isDue(wallSeconds()) ? void this.#reopen() : undefined;
        this.health = healthOf(this.context, this.#input, this.#heardUntil, this.#activeProfiles);
        if (this.context.state === 'running') this.#judge(this.health);
        this.dispatchEvent(new CustomEvent('health', { detail: this.health }));
        this.#watch();
    }

    /** A browser need not tell that the system's sound has gone: then nothing comes, or only silence. */
    #watch() {
        const isSilent = this.#problems.has('silent') && this.#input?.microphone.track.muted === false;
        const why = this.#recovery.look({ context: this.context, heardFrames: this.#heardUntil, isSilent }, wallSeconds());
        if (why === undefined) return;
        if (why !== 'silence') return this.#lose(why);
        this.#disconnect();
        void this.#reopen();
    }

    /** @param {Health} health */
    #judge(health) {
        const { bandDecibels: band, levelDBFS, lagSeconds: lag } = health;
        this.#problems.measure('silent', levelDBFS < -120 || this.#input?.microphone.track.muted === true);
        if (!Number.isNaN(band)) this.#problems.measure('filtered', isFiltered(band, this.#problems.has('filtered')), band.toFixed(0));
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
        this.dispatchEvent(raised ? new CustomEvent('problem', { detail: raised }) : new CustomEvent('solved', { detail: solved }));
    }

    /** @param {MessagePort} [blocks] */
    #applyProfiles(blocks) {
        const isAudible = this.problems.some(({ kind }) => bandProblems.has(kind)), { sampleRate } = this.context;
        const profiles = wantedProfiles(this.#options, isAudible, this.#modem, sampleRate);
        if (!blocks && profiles.join() === this.#activeProfiles.join()) return;
        this.#activeProfiles = profiles;
        this.#thread.listen({ profiles, sampleRate, channelCount: this.#input?.channelCount ?? 1 }, blocks);
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
