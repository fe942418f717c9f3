import { EventParser } from './event-parser.js';
import { Pause } from './pause.js';
import { request, retryAfter } from './requests.js';

/** What became of a stream: the device is unknown, the server has none, or it broke off. */
/** @typedef {{ ending: 'unknownDevice' | 'hasNone' } | { wait: number, wasOpen?: boolean }} Ending */

/** Keeps a stream of events open: again and again, later and later. */
export class EventFollower {
    #abort = new AbortController();
    #pause = new Pause();
    /** @type {string} */
    #address;
    /** @type {string} */
    #secret;
    /** @type {(data: string) => void} */
    #onEvent;
    /** @type {() => void} */
    #onBreak;
    /** @type {import('./server-link.js').LinkSettings} */
    #settings;
    /** @type {import('./stream-return.js').StreamReturn} */
    #return;

    /**
     * @param {string} address
     * @param {string} secret the device's
     * @param {(data: string) => void} onEvent called with each event's data
     * @param {() => void} onBreak called when a stream ends that was open
     * @param {import('./server-link.js').LinkSettings} settings
     * @param {import('./stream-return.js').StreamReturn} streamReturn
     */
    constructor(address, secret, onEvent, onBreak, settings, streamReturn) {
        [this.#address, this.#secret, this.#settings] = [address, secret, settings];
        [this.#onEvent, this.#onBreak, this.#return] = [onEvent, onBreak, streamReturn];
    }

    stop() {
        this.#abort.abort();
        this.#pause.end();
    }

    /** Returns, when no stream is to be opened any more, whether the server has any. */
    async run() {
        let failures = 0;
        while (!this.#abort.signal.aborted) {
            const begun = Date.now();
            const became = await this.#follow();
            this.#onBreak();
            if ('ending' in became) return became.ending !== 'hasNone';
            // A stream that held is no failure; one that breaks as soon as it is open is.
            if (Date.now() - begun >= this.#settings.mostWait) failures = 0;
            // The attempts of a whole fleet must not come more often than its return.
            const mostWait = Math.max(this.#settings.mostWait, this.#return.window);
            const longest = Math.min(this.#settings.leastWait * 2 ** Math.min(failures, 16), mostWait);
            failures += 1;
            const drawn = became.wasOpen ? this.#return.draw() : 0;
            const wait = Math.max(became.wait, drawn, longest * (0.5 + 0.5 * Math.random()));
            if (!this.#abort.signal.aborted) await this.#pause.wait(wait);
        }
        return true;
    }

    /**
     * One stream, until it ends or falls silent.
     *
     * @returns {Promise<Ending>}
     */
    async #follow() {
        const abort = new AbortController();
        const stop = () => abort.abort();
        this.#abort.signal.addEventListener('abort', stop);
        let timer = setTimeout(stop, this.#settings.answerTimeout);
        let wasOpen = false;
        try {
            const response = await fetch(this.#address, {
                ...request(this.#secret, { Accept: 'text/event-stream' }), signal: abort.signal,
            });
            switch (response.status) {
            case 200: break;
            case 401: case 409: return { ending: 'unknownDevice' };
            case 404: return { ending: 'hasNone' };
            case 429: return { wait: retryAfter(response) };
            case 503: return { wait: response.headers.has('Retry-After') ? retryAfter(response) : 0 };
            default: return { wait: 0 };
            }
            const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
            if (!response.body || !isStream) return { wait: 0 };
            wasOpen = true;
            const [parser, decoder, stream] = [new EventParser(), new TextDecoder(), response.body.getReader()];
            for (;;) {
                clearTimeout(timer);
                timer = setTimeout(stop, this.#settings.silence);
                const { done, value } = await stream.read();
                if (done || this.#abort.signal.aborted) return { wait: 0, wasOpen };
                for (const data of parser.take(decoder.decode(value, { stream: true }))) this.#onEvent(data);
            }
        } catch {
            // It broke off, fell silent or was too long: the next one goes on where it was, and reports say what is wrong.
            return { wait: 0, wasOpen };
        } finally {
            clearTimeout(timer);
            abort.abort();
            this.#abort.signal.removeEventListener('abort', stop);
        }
    }
}
