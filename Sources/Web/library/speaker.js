import { AudioWatch, Retry, revive, standstillSeconds } from './audio-watch.js';
import { ModemThread } from './modem-thread.js';
import { Pause } from './pause.js';

/** @typedef {import('./modem.js').Modem} Modem */

/**
 * @typedef {object} PlayOptions
 * @property {string} [profile] "dsss" by default
 * @property {number} [levelDBFS] peak, 0 being full scale; −12 by default
 * @property {number} [everySeconds] from one frame's beginning to the next; at least 0.2 s of pause remain
 * @property {number} [jitterSeconds] up to this much more, at random, so that senders do not stay in step
 * @property {number} [lane] 0 to 3: senders that overlap in time are best kept on different lanes
 * @property {number} [count] how many frames; without it, until it is stopped
 */

/** Silence between frames that receivers expect. */
const leastPauseSeconds = 0.2;

/** Sends tokens by the page's loudspeaker; encodes them in a thread of its own, at the context's own rate. */
export class Speaker {
    #modem;
    #thread;

    /**
     * @param {Modem} modem
     * @param {AudioContext} context one that runs: browsers let it begin in a handler of a tap alone
     */
    constructor(modem, context) {
        this.#modem = modem;
        this.context = context;
        this.#thread = new ModemThread(modem);
    }

    /**
     * Sends a token again and again, until it is stopped or has been sent `count` times.
     *
     * @param {Uint8Array | string} token bytes, or hex digits
     * @param {PlayOptions} [options]
     * @returns {Playing}
     */
    play(token, options = {}) {
        this.#modem.profile(options.profile ?? 'dsss');
        return new Playing(this.context, this.#thread, token, options);
    }

    /** Lets the thread go; what plays is to be stopped before. */
    close() { this.#thread.close(); }
}

/**
 * @typedef {object} PlayingEvents
 * @property {{ token: Uint8Array | string }} sent after each frame
 * @property {Error} problem a token that cannot be encoded: it ends
 * @property {Error} stalled the system plays nothing: it is tried again after 1, 2, 4 … 30 s, and the frame is sent anew
 * @property {null} ended the last frame has sounded
 */

/**
 * A token that is being sent.
 */
export class Playing extends /** @type {new () => import('./emitter.js').Emitter<PlayingEvents>} */ (EventTarget) {
    /** @type {AudioContext} */
    #context;
    /** @type {ModemThread} */
    #thread;
    /** @type {PlayOptions} */
    #options;
    /**
     * Tokens that take turns, the next one first.
     * @type {(Uint8Array | string)[]}
     */
    #tokens;
    #gain;
    #sentCount = 0;
    #isStopping = false;
    #pause = new Pause();
    #retry = new Retry();
    #isStalled = false;
    /** The context told of an error since the last try. */
    #hasFailed = false;
    #noteError = () => { this.#hasFailed = true; };
    /**
     * Waits no longer for the end of a frame.
     * @type {() => void}
     */
    #abandon = () => {};
    #ended;

    /**
     * @param {AudioContext} context
     * @param {ModemThread} thread
     * @param {Uint8Array | string} token
     * @param {PlayOptions} options
     */
    constructor(context, thread, token, options) {
        super();
        [this.#context, this.#thread, this.#options, this.#tokens] = [context, thread, options, [token]];
        this.#gain = new GainNode(context, { gain: 10 ** ((options.levelDBFS ?? -12) / 20) });
        this.#gain.connect(context.destination);
        // Chromium calls a context that has lost its device suspended, and this alone tells it from a pause.
        context.addEventListener('error', this.#noteError);
        this.#ended = this.#run();
    }

    /**
     * Tokens that take turns from the next frame on; a frame under way is finished first.
     *
     * @param {(Uint8Array | string)[]} tokens
     */
    setTokens(tokens) {
        if (tokens.length === 0) throw new RangeError('expected a token to send');
        this.#tokens = [...tokens];
    }

    /** Ends after the frame that sounds now. Resolves when that has ended. */
    stop() {
        this.#isStopping = true;
        this.#pause.end();
        // Nothing ends in a context that stands still.
        if (this.#isStalled || this.#context.state !== 'running') this.#abandon();
        return this.#ended;
    }

    async #run() {
        try {
            let at = this.#context.currentTime;
            while (!this.#isStopping && this.#sentCount < (this.#options.count ?? Infinity)) {
                at = await this.#send(at);
                const seconds = at - this.#context.currentTime - leastPauseSeconds / 2;
                if (seconds > 0 && !this.#isStopping) await this.#pause.wait(1000 * seconds);
            }
        } catch (error) {
            this.dispatchEvent(new CustomEvent('problem', { detail: error }));
        }
        this.#gain.disconnect();
        this.#context.removeEventListener('error', this.#noteError);
        this.dispatchEvent(new CustomEvent('ended'));
    }

    /**
     * Sends the next token, no sooner than at this time of the context. Returns when the one after it may begin.
     *
     * @param {number} at
     */
    async #send(at) {
        const { profile, lane, everySeconds = 0, jitterSeconds = 0 } = this.#options;
        const token = this.#tokens[0];
        const { sampleRate } = this.#context;
        const samples = await this.#thread.encode(token, { profile, lane, sampleRate });
        // It may have been given others while it was encoded: then these have not had their turn.
        if (this.#tokens[0] === token) this.#tokens = [...this.#tokens.slice(1), token];
        const buffer = new AudioBuffer({ length: samples.length, sampleRate });
        buffer.copyToChannel(samples, 0);
        const source = new AudioBufferSourceNode(this.#context, { buffer });
        source.connect(this.#gain);
        const start = Math.max(at, this.#context.currentTime + 0.02);
        source.start(start);
        if (!await this.#hasEnded(source)) {
            // Were the context to come back, it would go on with half a frame.
            source.disconnect();
            await this.#recover();
            return this.#context.currentTime;
        }
        this.#retry.reset();
        this.#sentCount += 1;
        this.dispatchEvent(new CustomEvent('sent', { detail: { token } }));
        const least = start + buffer.duration + leastPauseSeconds;
        return Math.max(least, start + everySeconds) + Math.random() * jitterSeconds;
    }

    /**
     * Waits for a frame's end. Tells whether it came: not where the context stands still.
     *
     * @param {AudioBufferSourceNode} source
     * @returns {Promise<boolean>}
     */
    async #hasEnded(source) {
        const watch = new AudioWatch();
        /** @type {ReturnType<typeof setInterval> | undefined} */
        let timer;
        const hasEnded = await new Promise((resolve) => {
            source.onended = () => resolve(true);
            this.#abandon = () => resolve(true);
            timer = setInterval(() => {
                const { state, currentTime } = this.#context;
                // A browser that has paused the page's sound goes on with it where it was.
                const isPaused = state !== 'running' && state !== 'closed';
                if (this.#hasFailed || !isPaused && watch.look(currentTime, performance.now() / 1000) >= standstillSeconds) resolve(false);
            }, 1000);
        });
        clearInterval(timer);
        return hasEnded;
    }

    /** The system's sound has gone: says so, asks for it anew, and waits a while. */
    async #recover() {
        this.#isStalled = true;
        this.dispatchEvent(new CustomEvent('stalled', { detail: new Error('The system plays no sound; it is tried again.') }));
        this.#hasFailed = false;
        await revive(this.#context);
        if (!this.#isStopping) await this.#pause.wait(1000 * this.#retry.begin(performance.now() / 1000));
        this.#isStalled = false;
    }
}
