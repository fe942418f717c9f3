import { EventFollower } from './event-follower.js';
import { request, retryAfter } from './requests.js';
import { StreamReturn } from './stream-return.js';
import { answer, reportBody, told, WireError } from './wire.js';

/** @typedef {import('./engine-types.js').RegistryError} RegistryError */
/** @typedef {import('./engine-types.js').Report} Report */
/** @typedef {import('./engine-types.js').Answer} Answer */

/** Observations of a report that servers took before they said how many they take. */
const formerObservations = 200;

/** The registry did not take it: `error` is what the engine is told. */
export class LinkError extends Error {
    /** @param {RegistryError} error */
    constructor(error) {
        super(error.why);
        this.error = error;
    }
}

/**
 * Times in milliseconds.
 *
 * @typedef {object} LinkSettings
 * @property {number} answerTimeout for an answer, to its last byte
 * @property {number} leastWait before events are asked for again; doubled from one time to the other
 * @property {number} mostWait the longest
 * @property {number} silence a stream that says nothing for so long is dead: the server comments every 30 s
 * @property {number} bodyLimit letters of an answer
 * @property {number} keepAlive between reports after a stream has ended that made reports unnecessary
 */

/** Microseconds to the next report that a server grants a page without a stream at most. */
const longestWithoutStream = 60e6;

/** @type {LinkSettings} */
const standard = { answerTimeout: 10_000, leastWait: 500, mostWait: 30_000, silence: 40_000, bodyLimit: 16 << 20, keepAlive: 5000 };

/**
 * A server as a page's registry, over HTTP, as `NearbyClient` in Swift: reports go, answers and events come; heartbeats and back-off are
 * the engine's. The device's secret is in memory alone, and in no message.
 */
export class ServerLink {
    #server;
    /** @type {string} */
    #key;
    /** @type {(told: import('./engine-types.js').Told) => void} */
    #onTold;
    /** @type {LinkSettings} */
    #settings;
    /** @type {string | undefined} */
    #secret;
    #observationLimit = formerObservations;
    #hasEvents = true;
    /** @type {EventFollower | undefined} */
    #follower;
    #isClosed = false;
    /** The stream of events shows the server that this page is there. */
    #showsPresence = false;
    #return = new StreamReturn();

    /**
     * @param {URL | string} server such as `https://nearby.example.com`; the protocol's paths are put after it
     * @param {string} key the project's, for pages
     * @param {(told: import('./engine-types.js').Told) => void} onTold called with what comes unasked
     * @param {Partial<LinkSettings>} [settings]
     */
    constructor(server, key, onTold, settings = {}) {
        this.#server = String(server).replace(/\/+$/, '');
        if (!/^https?:\/\/[^/?#]+/.test(this.#server)) {
            throw new RangeError(`expected a server's address, as https://nearby.example.com, not '${server}'`);
        }
        [this.#key, this.#onTold, this.#settings] = [key, onTold, { ...standard, ...settings }];
    }

    /**
     * Takes a report to the server; registers before the first one.
     *
     * @param {Report} report
     * @returns {Promise<Answer>}
     * @throws {LinkError}
     */
    async report(report) {
        const nothing = { grants: [], verdicts: [], patience: [], refused: [], deliveries: [] };
        if (this.#secret === undefined && report.isFarewell) return nothing;
        const secret = this.#secret ?? await this.#register();
        const reply = await this.#post('/v1/report', secret, reportBody(report, this.#observationLimit));
        if (reply.status !== 200) {
            if (reply.status === 401) this.#forgetDevice();
            throw new LinkError(failure(reply));
        }
        if (report.isFarewell) {
            this.#forgetDevice();
            return nothing;
        }
        const read = parsed(reply.text, (body) => answer(body, report));
        // The answer may count on a stream that has broken since.
        if (!this.#showsPresence && (read.keepAlive ?? 0) > longestWithoutStream) read.keepAlive = 1000 * this.#settings.keepAlive;
        this.#return.forget(report.ended);
        this.#return.note(read.deliveries);
        this.#follow(secret);
        return read;
    }

    /** Nothing more is asked or told. */
    close() {
        this.#isClosed = true;
        this.#forgetDevice();
    }

    #forgetDevice() {
        this.#secret = undefined;
        this.#return = new StreamReturn();
        this.#follower?.stop();
        this.#follower = undefined;
    }

    async #register() {
        const reply = await this.#post('/v1/devices', this.#key);
        if (reply.status === 401) {
            throw new LinkError({ kind: 'refused', why: 'the server does not know this API key (status 401): it is wrong, '
                + 'revoked or another server\'s; \'nearby keys list\' there tells which are valid, \'nearby keys create\' makes one' });
        }
        if (reply.status !== 201 && reply.status !== 200) throw new LinkError(failure(reply));
        const body = parsed(reply.text, (value) => value);
        if (typeof body?.device !== 'string' || body.device === '') {
            throw new LinkError(unreachable('no answer of a Nearby server: a registration without a secret'));
        }
        this.#secret = body.device;
        this.#hasEvents = true;
        const limit = body.observationsPerReport;
        this.#observationLimit = Number.isSafeInteger(limit) && limit > 0 ? limit : formerObservations;
        return body.device;
    }

    /**
     * @param {string} path
     * @param {string} bearer
     * @param {object} [body]
     */
    async #post(path, bearer, body) {
        if (this.#isClosed) throw new LinkError(unreachable('the client is closed'));
        const abort = new AbortController();
        const timer = setTimeout(() => abort.abort(), this.#settings.answerTimeout);
        try {
            const response = await fetch(this.#server + path, {
                ...request(bearer, body && { 'Content-Type': 'application/json' }), method: 'POST', signal: abort.signal,
                body: body && JSON.stringify(body),
            });
            const text = await response.text();
            if (text.length > this.#settings.bodyLimit) throw new LinkError(unreachable('an answer that is too long'));
            return { status: response.type === 'opaqueredirect' ? 308 : response.status, retryAfter: retryAfter(response), text };
        } catch (error) {
            if (error instanceof LinkError) throw error;
            // Browsers do not say why: the network, the name, the certificate, or an origin that the server does not allow.
            const why = abort.signal.aborted
                ? `no answer within ${this.#settings.answerTimeout / 1000} s` : `no connection: ${lineOf(error)}`;
            throw new LinkError(unreachable(why));
        } finally {
            clearTimeout(timer);
        }
    }

    // Events

    /**
     * Keeps the stream of events open, from a report that was answered on.
     *
     * @param {string} secret
     */
    #follow(secret) {
        if (this.#follower || !this.#hasEvents || this.#isClosed || this.#secret !== secret) return;
        const follower = new EventFollower(
            `${this.#server}/v1/events`, secret, (data) => this.#tell(data, secret), () => this.#broke(), this.#settings, this.#return);
        this.#follower = follower;
        void follower.run().then((hasEvents) => {
            if (this.#follower !== follower) return;
            this.#follower = undefined;
            this.#hasEvents = hasEvents;
        });
    }

    /**
     * What is wrong with an event is left to the next report.
     *
     * @param {string} data
     * @param {string} secret
     */
    #tell(data, secret) {
        if (this.#secret !== secret) return;
        let notice;
        try {
            const body = JSON.parse(data);
            notice = told(body);
            this.#return.advise(body.retryWithinSeconds);
            this.#return.note(notice.deliveries);
        } catch (error) {
            if (!(error instanceof WireError || error instanceof SyntaxError)) throw error;
            return;
        }
        this.#showsPresence ||= notice.keepAlive !== undefined;
        this.#onTold(notice);
    }

    /** Without the stream, only reports show that this page is there. */
    #broke() {
        if (!this.#showsPresence || this.#isClosed) return;
        this.#showsPresence = false;
        // The streams of a whole fleet may have broken: reports are spread as streams are.
        const keepAlive = Math.round(1000 * Math.max(this.#settings.keepAlive, this.#return.draw()));
        this.#onTold({ grants: [], deliveries: [], keepAlive });
    }
}

/** @param {string} why */
function unreachable(why) { return /** @type {RegistryError} */ ({ kind: 'unreachable', why }); }

/** @param {unknown} error */
function lineOf(error) { return String(error instanceof Error ? error.message : error).replace(/[\u0000-\u001f\u007f]+/g, ' '); }

/**
 * @template T
 * @param {string} text
 * @param {(body: any) => T} read
 */
function parsed(text, read) {
    try {
        return read(JSON.parse(text));
    } catch (error) {
        if (!(error instanceof WireError || error instanceof SyntaxError)) throw error;
        throw new LinkError(unreachable(`no answer of a Nearby server (${lineOf(error)}): is the address right?`));
    }
}

/**
 * @param {{ status: number, retryAfter: number, text: string }} reply
 * @returns {RegistryError}
 */
function failure({ status, retryAfter: wait, text }) {
    let words = '';
    try {
        const { error } = JSON.parse(text);
        if (typeof error === 'string') words = lineOf(error);
    } catch {
        // Not a Nearby server's: said below.
    }
    const line = words !== '' ? `status ${status}: ${words}`
        : status >= 300 && status < 400 ? 'it redirects: give the address that it redirects to'
            : status >= 500 ? `status ${status}, from a proxy or another kind of server`
                : `status ${status}, and not from a Nearby server: is the address right?`;
    switch (status) {
    case 401: case 409: return { kind: 'unknownDevice', why: line };
    case 429: return { kind: 'rateLimited', why: line, retryAfter: 1000 * wait };
    // In words that are none of a Nearby server's, as a proxy's are, nothing is refused for good.
    case 400: case 403: case 413: case 415: return words === '' ? unreachable(line) : { kind: 'refused', why: line };
    default: return unreachable(line);
    }
}
