/** Seconds by the wall clock without a frame, after which sound is taken to stand still. */
export const standstillSeconds = 4;

/** Notices that audio time stands still while the wall clock goes on: the system's sound server has gone. */
export class AudioWatch {
    #time = NaN;
    #changedAt = NaN;
    #lookedAt = NaN;
    /** How often the time has been seen to go on. */
    moves = 0;

    /**
     * Call it each second or so. Tells for how many seconds the time has stood still.
     *
     * @param {number} time of audio: seconds, or frames
     * @param {number} wallSeconds
     */
    look(time, wallSeconds) {
        // A page that slept itself knows nothing of the time between.
        const hasSlept = !(wallSeconds - this.#lookedAt < standstillSeconds);
        if (!hasSlept && time !== this.#time) this.moves += 1;
        if (hasSlept || time !== this.#time) [this.#time, this.#changedAt] = [time, wallSeconds];
        this.#lookedAt = wallSeconds;
        return wallSeconds - this.#changedAt;
    }
}

/** Says when to try again: at once, then after 1, 2, 4 … 30 s. */
export class Retry {
    #least;
    #most;
    #seconds;
    #nextAt = -Infinity;

    /**
     * @param {number} [least]
     * @param {number} [most]
     */
    constructor(least = 1, most = 30) {
        this.#least = this.#seconds = least;
        this.#most = most;
    }

    /** @param {number} wallSeconds */
    isDue(wallSeconds) { return wallSeconds >= this.#nextAt; }

    /**
     * A try begins now; the next one may begin later by the pause that is returned.
     *
     * @param {number} wallSeconds
     */
    begin(wallSeconds) {
        const pause = this.#seconds;
        this.#nextAt = wallSeconds + pause;
        this.#seconds = Math.min(2 * pause, this.#most);
        return pause;
    }

    /** All is well: the next try is made at once. */
    reset() { [this.#seconds, this.#nextAt] = [this.#least, -Infinity]; }
}

/**
 * Makes a context ask the system for its devices anew: after the sound server's return it would play into nothing.
 *
 * @param {AudioContext} context
 */
export async function revive(context) {
    if (context.state === 'closed') return;
    const soon = new Promise((resolve) => setTimeout(resolve, 1000));
    await Promise.race([context.suspend().then(() => context.resume()).catch(() => {}), soon]);
}

/**
 * Begins, or goes on. Without a tap some browsers never answer.
 *
 * @param {AudioContext} context
 */
export async function begin(context) {
    if (context.state === 'closed') return;
    await Promise.race([context.resume(), new Promise((resolve) => setTimeout(resolve, 500))]);
}

/** As low a latency as there is. */
export const newContext = () => new AudioContext({ latencyHint: 'interactive' });

/**
 * A context in which sound goes on after it stood still: another one, or, where it is not ours to close, the same one begun anew.
 *
 * @param {AudioContext} context
 * @param {boolean} isOurs
 * @returns {Promise<AudioContext>}
 */
export async function renewed(context, isOurs) {
    if (!isOurs) {
        await revive(context);
        return context;
    }
    context.onstatechange = null;
    if (context.state !== 'closed') void context.close();
    return newContext();
}
