import { newContext, Retry } from './audio-watch.js';
import { CarrierSense } from './carrier-sense.js';
import { Listener, ListenerError } from './listener.js';
import { Pause } from './pause.js';
import { Speaker } from './speaker.js';

/** @typedef {import('./engine-types.js').Assignment} Assignment */
/** @typedef {import('./engine-types.js').Broadcast} Broadcast */
/** @typedef {import('./engine-types.js').Condition} Condition */
/** @typedef {import('./engine-types.js').EngineEvent} EngineEvent */

/** @typedef {import('./medium.js').Medium} Medium */
/** @typedef {import('./medium.js').AudioMediumOptions} AudioMediumOptions */

/** After its longest time to listen, a sender waits so much longer for others to end. */
const patienceSeconds = 8;

/**
 * Tokens by sound: the page's microphone and loudspeaker, each used only while it is wanted.
 *
 * @implements {Medium}
 */
export class AudioMedium {
    /** @type {import('./modem.js').Modem} */
    #modem;
    /** @type {AudioMediumOptions} */
    #options;
    /** @type {(event: EngineEvent) => void} */
    #tell = () => {};
    /** @type {Assignment} */
    #assignment = { isScanning: false, isInBackground: false };
    /** @type {Condition} */
    #condition = {};
    /** @type {AudioContext | undefined} */
    #context;
    #ownsContext;
    /** @type {Listener | undefined} */
    #listener;
    /** Ends what the listener tells. */
    #listening = new AbortController();
    /** @type {CarrierSense | undefined} */
    #sense;
    /** @type {Speaker | undefined} */
    #speaker;
    #isOpening = false;
    #isClosed = false;
    /** A device that does not open, or plays nothing, is tried again after 1, 2, 4 … 30 s. */
    #opening = new Retry();
    #sending = new Retry();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #retryTimer;
    /** @type {Promise<void> | undefined} */
    #speaking;
    #waiting = new Pause();
    /**
     * Lanes of what is sent: drawn anew with a token, for one that outlived it would tell whose the next is.
     * @type {Map<string, number>}
     */
    #lanes = new Map();
    #isOtherIdentity = false;

    /**
     * @param {import('./modem.js').Modem} modem
     * @param {AudioMediumOptions} [options]
     */
    constructor(modem, options = {}) {
        [this.#modem, this.#options] = [modem, options];
        this.#context = options.context ?? options.listener?.context;
        this.#ownsContext = !this.#context;
    }

    /** What listens, while something does: for its health, its problems and its sound. */
    get listener() { return this.#listener; }

    /** @param {(event: EngineEvent) => void} tell */
    begin(tell) {
        this.#tell = tell;
        this.#tellCondition();
        globalThis.navigator?.mediaDevices?.addEventListener('devicechange', this.#tryAgain);
        globalThis.document?.addEventListener('visibilitychange', this.#tryAgain);
    }

    /** @param {Assignment} assignment */
    carryOut(assignment) {
        this.#drawLanes(assignment.broadcast);
        this.#assignment = assignment;
        if (assignment.isScanning) void this.#listen();
        else void this.#stopListening();
        this.#waiting.end();
        if (assignment.broadcast) this.#speaking ??= this.#speak().finally(() => { this.#speaking = undefined; });
    }

    async close() {
        this.#isClosed = true;
        globalThis.navigator?.mediaDevices?.removeEventListener('devicechange', this.#tryAgain);
        globalThis.document?.removeEventListener('visibilitychange', this.#tryAgain);
        this.carryOut({ isScanning: false, isInBackground: false });
        await this.#speaking;
        this.#speaker?.close();
        if (this.#context && this.#ownsContext && this.#context.state !== 'closed') await this.#context.close();
    }

    // Condition

    #tellCondition() { this.#tell({ kind: 'condition', condition: this.#condition }); }

    /**
     * @param {'broadcast' | 'scan'} role
     * @param {import('./engine-types.js').Obstacle} [obstacle]
     * @param {string} [reason]
     */
    #set(role, obstacle, reason) {
        if (this.#condition[role] === obstacle && this.#condition[`${role}Reason`] === reason) return;
        this.#condition = { ...this.#condition, [role]: obstacle, [`${role}Reason`]: reason };
        this.#tellCondition();
    }

    // Listening

    #profiles() {
        const { profile = 'dsss', sealedProfile = profile } = this.#options;
        return [...new Set([profile, sealedProfile])];
    }

    /** Something may be there again. */
    #tryAgain = () => {
        if (globalThis.document?.visibilityState === 'hidden') return;
        if (this.#assignment.isScanning) void this.#listen();
    };

    async #listen() {
        if (this.#listener || this.#isOpening) return;
        clearTimeout(this.#retryTimer);
        this.#isOpening = true;
        try {
            this.#attach(this.#options.listener ?? await this.#openListener());
            this.#opening.reset();
        } catch (error) {
            if (!(error instanceof ListenerError)) throw error;
            const isForbidden = error.problem.kind === 'denied' || error.problem.kind === 'insecure';
            this.#set('scan', isForbidden ? 'forbidden' : 'failing', error.message);
            // Who has said no is not asked again and again: coming back to the page does.
            const seconds = this.#opening.begin(performance.now() / 1000);
            if (!isForbidden) this.#retryTimer = setTimeout(this.#tryAgain, 1000 * seconds);
        } finally {
            this.#isOpening = false;
        }
        // What was wanted may have changed meanwhile.
        if (!this.#assignment.isScanning) await this.#stopListening();
    }

    #openListener() {
        const { deviceId, microphones } = this.#options;
        return Listener.start({
            modem: this.#modem, context: this.#openContext(), deviceId, microphones, profiles: this.#profiles(), fallback: [],
        });
    }

    /** @param {Listener} listener */
    #attach(listener) {
        this.#listener = listener;
        this.#listening = new AbortController();
        const { signal } = this.#listening;
        listener.addEventListener('heard', ({ detail }) => this.#hear(detail), { signal });
        listener.addEventListener('state', () => this.#noteState(listener), { signal });
        this.#noteState(listener);
    }

    /** @param {Listener} listener */
    #noteState(listener) {
        const words = listener.problems.map(({ message, remedy }) => `${message} ${remedy}`).join(' ');
        switch (listener.state) {
        case 'listening': this.#set('scan'); break;
        case 'suspended': this.#set('scan', 'forbidden', words || 'The browser has paused listening.'); break;
        case 'reconnecting': this.#set('scan', 'failing', words || 'The microphone is gone.'); break;
        case 'stopped': this.#set('scan', 'failing', 'The page has stopped listening.'); break;
        }
        if (this.#sense?.source !== listener.source) {
            this.#sense?.close();
            this.#sense = listener.source && new CarrierSense(listener.source);
        }
    }

    /** @param {import('./receiver.js').Heard & { contextSeconds: number }} heard */
    #hear(heard) {
        const { token, isChecked, contextSeconds, secondsOnAir, snrDecibels } = heard;
        // Without check bits a token is only likely; of other lengths it is none.
        const isOurs = token.length >= 8 && token.length <= 11 || token.length >= 16 && token.length <= 32;
        if (!isChecked || !isOurs || !this.#assignment.isScanning || !this.#listener) return;
        const age = Math.max(0, this.#listener.context.currentTime - contextSeconds - secondsOnAir) || 0;
        const signal = Number.isFinite(snrDecibels) ? { snrDecibels } : {};
        this.#tell({ kind: 'sighted', frame: token, age: Math.round(1e6 * age), signal });
    }

    async #stopListening() {
        clearTimeout(this.#retryTimer);
        const listener = this.#listener;
        this.#listener = undefined;
        this.#listening.abort();
        this.#sense?.close();
        this.#sense = undefined;
        if (listener !== this.#options.listener) await listener?.stop();
    }

    // Speaking

    /** @param {Broadcast} [broadcast] */
    #drawLanes(broadcast) {
        // Who falls silent for a moment goes on with the same token and lane.
        if (!broadcast) return;
        const names = broadcast.payloads.map(({ frame }) => frame.join());
        const kept = names.filter((name) => this.#lanes.has(name));
        this.#isOtherIdentity ||= this.#lanes.size > 0 && kept.length === 0;
        const lane = Math.floor(4 * Math.random());
        this.#lanes = new Map(names.map((name) => [name, this.#lanes.get(name) ?? lane]));
    }

    async #speak() {
        let [turn, isFirst] = [0, true];
        for (let broadcast; (broadcast = this.#assignment.broadcast) && !this.#isClosed;) {
            const { listening } = broadcast;
            if (listening) {
                // Devices that begin together do not go on together.
                const [least, most] = [listening.least / 1e6, listening.most / 1e6];
                await this.#pause(isFirst ? Math.random() * least : least + Math.random() * (most - least));
                if (this.#assignment.broadcast) await this.#waitForOthers(most, (most - least) / 4);
            } else if (this.#isOtherIdentity) {
                // Frames of the new token would go on at the old one's beat, by which it can be told.
                await this.#pause(1.3 * Math.random());
            }
            [isFirst, this.#isOtherIdentity] = [false, false];
            // What is wanted may have changed while it waited.
            const payloads = this.#assignment.broadcast?.payloads;
            if (!payloads || await this.#send(payloads[turn++ % payloads.length])) this.#sending.reset();
            else await this.#pause(this.#sending.begin(performance.now() / 1000));
        }
    }

    /**
     * Next to one that never pauses, it speaks all the same after a while: frames of different lanes can be told apart.
     *
     * @param {number} longestSeconds of its turns to listen
     * @param {number} windowSeconds from which a wait is drawn once the band is free, or all who wait would begin together
     */
    async #waitForOthers(longestSeconds, windowSeconds) {
        const end = performance.now() + 1000 * (longestSeconds + patienceSeconds);
        while (this.#sense?.isBusy() && performance.now() < end && this.#assignment.broadcast) {
            do await this.#pause(0.05); while (this.#sense?.isBusy() && performance.now() < end && this.#assignment.broadcast);
            await this.#pause(0.05 + windowSeconds * Math.random());
        }
    }

    /**
     * One frame. Returns whether it was sent.
     *
     * @param {Broadcast['payloads'][0]} payload
     */
    async #send({ kind, frame }) {
        const context = this.#openContext();
        if (context.state !== 'running') {
            await Promise.race([context.resume(), this.#pause(0.5)]);
            if (/** @type {string} */ (context.state) !== 'running') {
                this.#set('broadcast', 'forbidden', 'The browser has paused sound. Tap the page, or come back to it.');
                return false;
            }
        }
        if (this.#speaker?.context !== context) {
            this.#speaker?.close();
            this.#speaker = new Speaker(this.#modem, context);
        }
        const { profile = 'dsss', sealedProfile = profile, levelDBFS = -6 } = this.#options;
        const playing = this.#speaker.play(frame, {
            profile: kind === 'sealed' ? sealedProfile : profile, levelDBFS, lane: this.#lanes.get(frame.join()) ?? 0, count: 1,
        });
        /** @type {Error | undefined} */
        let trouble;
        playing.addEventListener('sent', () => this.#tell({ kind: 'sent' }));
        playing.addEventListener('problem', ({ detail }) => { trouble = detail; });
        playing.addEventListener('stalled', ({ detail }) => {
            trouble = detail;
            void playing.stop();
        });
        await new Promise((resolve) => playing.addEventListener('ended', resolve));
        this.#set('broadcast', trouble && 'failing', trouble?.message);
        return trouble === undefined;
    }

    /** A page's listener may have made another one. */
    #openContext() {
        if (!this.#options.context && this.#options.listener) this.#context = this.#options.listener.context;
        return this.#context ??= newContext();
    }

    /**
     * Waits, unless another assignment comes.
     *
     * @param {number} seconds
     */
    #pause(seconds) { return this.#waiting.wait(1000 * seconds); }
}
