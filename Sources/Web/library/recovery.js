import { AudioWatch, Retry, standstillSeconds } from './audio-watch.js';

/** A receiver may work on one block for 6 s; it hears no block for so long when none comes. */
const unheardSeconds = 15;
/** A microphone that gives exact silence is opened anew after 10, 20, 40 … 300 s: it may be muted, or a dead stream. */
const silenceSeconds = { least: 10, most: 300 };

/** Sound that was seen to go on so often, from second to second, is back for good. */
const soundMoves = 5;

/**
 * What a listener looks at each second.
 *
 * @typedef {{ context: { state: string, currentTime: number }, heardFrames: number, isSilent: boolean }} Look
 */

/** Decides when a listener opens its microphone anew, and why. */
export class Recovery {
    #context = new AudioWatch();
    #heard = new AudioWatch();
    #opening = new Retry();
    #silence = new Retry(silenceSeconds.least, silenceSeconds.most);
    #isSilent = false;

    /** Whether the context itself stood still, and is to be made anew. */
    isContextDead = false;

    /**
     * What is wrong with the sound: `silence` asks for another stream quietly, other words are why the microphone is gone. Nothing while
     * all is well.
     *
     * @param {Look} look
     * @param {number} wallSeconds
     * @returns {string | undefined}
     */
    look({ context, heardFrames, isSilent }, wallSeconds) {
        this.isContextDead = context.state === 'closed';
        if (this.isContextDead) return 'the browser closed its sound';
        // A context that is paused stands still rightly.
        if (context.state !== 'running') {
            this.#forget();
            return undefined;
        }
        const stood = this.#context.look(context.currentTime, wallSeconds);
        const unheard = this.#heard.look(heardFrames, wallSeconds);
        this.isContextDead = stood >= standstillSeconds;
        if (this.isContextDead) return `the system's sound has stood still for ${Math.round(stood)} s`;
        if (unheard >= unheardSeconds) return `no sound has come for ${Math.round(unheard)} s`;
        if (this.#context.moves >= soundMoves && this.#heard.moves >= soundMoves) this.#opening.reset();
        if (!isSilent) this.#silence.reset();
        else if (!this.#isSilent) this.#silence.begin(wallSeconds);
        this.#isSilent = isSilent;
        if (!isSilent || !this.#silence.isDue(wallSeconds)) return undefined;
        this.#silence.begin(wallSeconds);
        return 'silence';
    }

    /**
     * Whether the microphone is to be opened now, while there is none.
     *
     * @param {number} wallSeconds
     */
    isDue(wallSeconds) { return this.#opening.isDue(wallSeconds); }

    /**
     * It is being opened.
     *
     * @param {number} wallSeconds
     */
    begin(wallSeconds) {
        this.#opening.begin(wallSeconds);
        this.#forget();
    }

    /** What was seen before says nothing of what comes. */
    #forget() { [this.#context, this.#heard] = [new AudioWatch(), new AudioWatch()]; }
}
