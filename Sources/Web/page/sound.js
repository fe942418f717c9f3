/**
 * The AudioContext in which the page sounds: made at the first tap, asleep while nobody needs it. The listener has another one, which
 * it makes after the microphone is open: the first of a browser would keep the page waiting until its audio process is there.
 */
export class Sound {
    /** @type {AudioContext | undefined} */
    #context;
    /** @type {Set<string>} */
    #users = new Set();

    /**
     * A context that runs, or will. Call it in a handler of a tap.
     *
     * @param {string} user who needs it until {@link end}
     * @returns {AudioContext}
     */
    begin(user) {
        this.#users.add(user);
        if (!this.#context || this.#context.state === 'closed') this.#context = new AudioContext({ latencyHint: 'interactive' });
        void this.#context.resume();
        return this.#context;
    }

    /** @param {string} user */
    end(user) {
        this.#users.delete(user);
        if (this.#users.size === 0 && this.#context?.state === 'running') void this.#context.suspend();
    }
}
