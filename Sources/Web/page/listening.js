import { Listener, ListenerError } from './listener.js';
import { problem } from './problems.js';

/** @typedef {import('./modem.js').Modem} Modem */
/** @typedef {import('./problems.js').Problem} Problem */
/** @typedef {import('./listener.js').ListenerState | 'starting' | 'failed' | 'idle'} State */

/**
 * The page's listener, which comes and goes as the user wishes. Events are those of {@link Listener}, and `state` tells of all of
 * {@link State}; `failed` is a CustomEvent of a {@link Problem}.
 */
export class Listening extends EventTarget {
    #modem;
    /** @type {Listener | undefined} */
    #listener;
    /** @type {State} */
    #state = 'idle';
    /** @type {string[]} */
    #profiles;
    #deviceID = '';
    #microphones = 1;

    /**
     * @param {Promise<Modem>} modem
     * @param {string[]} profiles
     */
    constructor(modem, profiles) {
        super();
        this.#modem = modem;
        this.#profiles = profiles;
    }

    get state() { return this.#state; }
    get listener() { return this.#listener; }

    /** Whether it hears, or would as soon as it can. */
    get isOn() { return this.#listener !== undefined; }

    /** Call it in a handler of a tap. Returns whether it listens. */
    async start() {
        if (this.#state === 'starting' || this.#listener) return this.isOn;
        this.#setState('starting');
        try {
            const listener = await Listener.start({
                // The page's own modem hears one microphone.
                modem: this.#microphones > 1 ? undefined : await this.#modem,
                profiles: this.#profiles, deviceId: this.#deviceID || undefined, microphones: this.#microphones,
            });
            this.#listener = listener;
            for (const kind of ['heard', 'health', 'problem', 'solved']) {
                listener.addEventListener(kind, (event) => {
                    const { detail } = /** @type {CustomEvent} */ (event);
                    this.dispatchEvent(new CustomEvent(kind, { detail }));
                });
            }
            listener.addEventListener('state', () => this.#setState(listener.state));
            for (const one of listener.problems) this.dispatchEvent(new CustomEvent('problem', { detail: one }));
            this.#setState(listener.state);
        } catch (error) {
            // The modem itself may be missing or damaged: no listener's problem, but a reason all the same.
            const told = error instanceof ListenerError ? error.problem : problem('receiver-failed', String(error));
            this.dispatchEvent(new CustomEvent('failed', { detail: told }));
            this.#setState('failed');
        }
        return this.isOn;
    }

    async stop() {
        const listener = this.#listener;
        this.#listener = undefined;
        await listener?.stop();
        this.#setState('stopped');
    }

    /** @param {string} deviceID of a microphone, empty for the browser's choice */
    async setDevice(deviceID) {
        this.#deviceID = deviceID;
        await this.#listener?.setDevice(deviceID || undefined);
    }

    /** @param {number} count of microphones that are heard together, if the device has so many */
    async setMicrophones(count) {
        this.#microphones = count;
        if (!this.isOn) return;
        await this.stop();
        await this.start();
    }

    /** @param {string[]} profiles */
    setProfiles(profiles) {
        this.#profiles = profiles;
        this.#listener?.setProfiles(profiles);
    }

    /** @param {State} state */
    #setState(state) {
        this.#state = state;
        this.dispatchEvent(new CustomEvent('state', { detail: state }));
    }
}
