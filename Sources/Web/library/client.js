import { AudioMedium } from './audio-medium.js';
import { Engine } from './engine.js';
import { moduleName } from './listener-options.js';
import { Modem } from './modem.js';
import { Publication, strategyOf, Subscription } from './operations.js';
import { OwnFrames } from './own-frames.js';
import { LinkError, ServerLink } from './server-link.js';
import { statusInWords } from './status-words.js';

export { EngineError } from './engine.js';
export { Publication, Subscription } from './operations.js';

/** @typedef {import('./engine-types.js').EngineAction} EngineAction */
/** @typedef {import('./engine-types.js').EngineEvent} EngineEvent */
/** @typedef {import('./engine-types.js').Permission} Permission */
/** @typedef {import('./operations.js').StrategyOptions} StrategyOptions */

/** @typedef {import('./client-options.js').ClientOptions} ClientOptions */
/** @typedef {import('./client-options.js').ClientEvents} ClientEvents */

/** The longest that browsers' timers wait. */
const longestTimer = 2 ** 31 - 1;
/** For the server's answer to the last report, which unregisters. */
const unregisterMilliseconds = 5000;

/**
 * Publishes and finds messages between devices that hear each other.
 */
export class NearbyClient extends /** @type {new () => import('./emitter.js').Emitter<ClientEvents>} */ (EventTarget) {
    /** @type {Engine} */
    #engine;
    /** @type {import('./medium.js').Medium} */
    #medium;
    /** @type {ClientOptions} */
    #options;
    /** @type {ServerLink | undefined} */
    #link;
    /** @type {Map<number, Publication | Subscription>} */
    #operations = new Map();
    #lastNumber = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #timer;
    #isClosed = false;
    #isAsking = false;
    #isMicrophoneForbidden = false;
    /** @type {import('./engine-types.js').EngineStatus | undefined} */
    #status;
    /** @type {Promise<void> | undefined} */
    #reporting;
    /**
     * What is still to be done: an event's handler may tell the engine more, which is done after.
     * @type {EngineAction[]}
     */
    #actions = [];
    #isPerforming = false;
    #own = new OwnFrames();

    /**
     * @param {Engine} engine
     * @param {import('./medium.js').Medium} medium
     * @param {ClientOptions} options
     */
    constructor(engine, medium, options) {
        super();
        [this.#engine, this.#medium, this.#options] = [engine, medium, options];
        if (options.server !== undefined) {
            this.#link = new ServerLink(
                options.server, options.key ?? '', (told) => this.#tell({ kind: 'told', told }), options.link);
        }
        this.#medium.begin((event) => this.#tell(event));
        if (options.hidden !== 'goesOn') globalThis.document?.addEventListener('visibilitychange', this.#noteVisibility);
        this.#noteVisibility();
    }

    /**
     * Begins. Nothing is heard or sent before there is an operation and the user agrees.
     *
     * @param {ClientOptions} options
     * @returns {Promise<NearbyClient>}
     * @throws {RangeError | import('./engine.js').EngineError}
     */
    static async start(options) {
        const { server, key, offlineKey, permission, engine: source } = options;
        if ((server === undefined) === (offlineKey === undefined)) {
            throw new RangeError('expected a server and its key, or an offline key, and not both: name one');
        }
        if (server !== undefined && !key) throw new RangeError('expected a key for the server: \'nearby keys create\' makes one');
        const engine = await Engine.load({ permission, offlineKey, source });
        const sealed = offlineKey === undefined ? {} : { sealedProfile: 'dsss-far' };
        const medium = options.medium
            ?? new AudioMedium(options.modem ?? await Modem.load(moduleName(options.audio?.microphones)), { ...sealed, ...options.audio });
        return new NearbyClient(engine, medium, options);
    }

    /** As the engine last told it, in words. */
    get status() { return this.#status && statusInWords(this.#status); }

    // Publishing and subscribing

    /**
     * Publishes until it is unpublished or its time to live is over.
     *
     * @param {{ type?: string, content: Uint8Array | string, namespace?: string }} message
     * @param {StrategyOptions} [options]
     * @returns {Publication}
     * @throws {import('./engine.js').EngineError} what is wrong with it
     */
    publish(message, options) {
        const id = this.#lastNumber + 1;
        const publication = new Publication(id, (operation) => this.#execute(operation));
        this.#begin(publication, { kind: 'publish', id, message: publication.read(message), strategy: strategyOf(options) });
        return publication;
    }

    /**
     * Looks for messages until it is unsubscribed or its time to live is over.
     *
     * @param {{ type?: string, namespace?: string }} [filter] by default every message of the project
     * @param {StrategyOptions} [options]
     * @returns {Subscription}
     * @throws {import('./engine.js').EngineError}
     */
    subscribe(filter = {}, options) {
        const id = this.#lastNumber + 1;
        const subscription = new Subscription(id, (operation) => this.#execute(operation));
        const rule = { namespace: filter.namespace ?? '', type: filter.type };
        this.#begin(subscription, { kind: 'subscribe', id, rules: [rule], strategy: strategyOf(options) });
        return subscription;
    }

    /** @type {(one: Publication | Subscription, operation: import('./engine-types.js').Operation) => void} */
    #begin(one, operation) {
        this.#lastNumber += 1;
        this.#operations.set(operation.id, one);
        try {
            this.#tell({ kind: 'execute', operations: [operation] });
        } catch (error) {
            this.#operations.delete(operation.id);
            throw error;
        }
    }

    /** @param {import('./engine-types.js').Operation} operation of one that was begun; when it has ended, nothing */
    #execute(operation) {
        if (!this.#operations.has(operation.id) || this.#isClosed) return;
        if (operation.kind !== 'republish') this.#operations.delete(operation.id);
        this.#tell({ kind: 'execute', operations: [operation] });
    }

    /**
     * Whether this client has sent this of late: its microphone hears its loudspeaker.
     *
     * @param {Uint8Array} frame a token, or a sealed frame
     */
    isOwn(frame) { return this.#own.has(frame); }

    // The user and the page

    /**
     * What the user has decided. Without it all is silent, and what was found is lost; once granted, all that waits begins.
     *
     * @param {Permission} permission
     */
    setPermission(permission) { this.#tell({ kind: 'permission', permission }); }

    #noteVisibility = () => {
        const isHidden = globalThis.document?.visibilityState === 'hidden' && this.#options.hidden !== 'goesOn';
        this.#tell({ kind: 'background', isInBackground: isHidden });
    };

    /** Ends everything, and unregisters. Resolves when all is silent. */
    async close() {
        if (this.#isClosed) return;
        globalThis.document?.removeEventListener('visibilitychange', this.#noteVisibility);
        this.#tell({ kind: 'end' });
        this.#isClosed = true;
        clearTimeout(this.#timer);
        this.#operations.clear();
        await this.#medium.close();
        let timer = 0;
        const patience = new Promise((resolve) => { timer = setTimeout(resolve, unregisterMilliseconds); });
        // A report may have been on its way; the last one follows it.
        const last = (async () => { while (this.#reporting) await this.#reporting; })();
        await Promise.race([last, patience]);
        clearTimeout(timer);
        this.#link?.close();
    }

    // The engine

    /** @param {EngineEvent} event */
    #tell(event) {
        const isLast = this.#isClosed && (event.kind === 'answered' || event.kind === 'failed');
        if (this.#isClosed && !isLast) return;
        const { nextDeadline, actions } = this.#engine.take(
            event, Math.round(1000 * performance.now()), Math.round(1000 * Date.now()));
        clearTimeout(this.#timer);
        if (nextDeadline !== undefined && !this.#isClosed) {
            const wait = Math.max(0, Math.ceil(nextDeadline / 1000 - performance.now()));
            this.#timer = setTimeout(() => this.#tell({ kind: 'advance' }), Math.min(wait, longestTimer));
        }
        this.#actions.push(...actions);
        if (this.#isPerforming) return;
        this.#isPerforming = true;
        try {
            for (let action; (action = this.#actions.shift());) this.#perform(action);
        } finally {
            this.#isPerforming = false;
        }
    }

    /** @param {EngineAction} action */
    #perform(action) {
        switch (action.kind) {
        case 'assign':
            if (action.medium !== 'audio') break;
            this.#own.note(action.assignment.broadcast);
            this.#medium.carryOut(action.assignment);
            break;
        case 'report': this.#report(action.report); break;
        case 'deliver':
            this.#dispatch(action.id, action.event, {
                message: action.message, media: ['audio'], publication: action.publication, subscription: action.id,
            });
            break;
        case 'heardBytes': this.#dispatch(action.id, 'heardbytes', { bytes: action.bytes, subscription: action.id }); break;
        case 'expired': this.#dispatch(action.id, 'expired', { subscription: action.id }); break;
        case 'operation':
            this.#operations.get(action.id)?.note(action.status);
            if (action.status.state === 'expired') this.#operations.delete(action.id);
            break;
        case 'status': this.#noteStatus(action.status); break;
        case 'askPermission': void this.#ask(); break;
        }
    }

    /**
     * Tells the operation, and whoever listens to all of them.
     *
     * @type {(id: number, name: string, detail: object) => void}
     */
    #dispatch(id, name, detail) {
        this.#operations.get(id)?.dispatchEvent(new CustomEvent(name, { detail }));
        this.dispatchEvent(new CustomEvent(name, { detail }));
    }

    /** @param {import('./engine-types.js').Report} report */
    #report(report) {
        const reporting = this.#send(report).finally(() => {
            if (this.#reporting === reporting) this.#reporting = undefined;
        });
        this.#reporting = reporting;
    }

    /** @param {import('./engine-types.js').Report} report */
    async #send(report) {
        if (!this.#link) return;
        let answer;
        try {
            answer = await this.#link.report(report);
        } catch (error) {
            if (!(error instanceof LinkError)) throw error;
            // Whoever leaves does not try again.
            if (!this.#isClosed) this.#tell({ kind: 'failed', error: error.error });
            return;
        }
        this.#tell({ kind: 'answered', answer });
    }

    /** @param {import('./engine-types.js').EngineStatus} status */
    #noteStatus(status) {
        const before = this.#status;
        this.#status = status;
        if (before && before.permission !== status.permission) {
            this.dispatchEvent(new CustomEvent('permission', { detail: status.permission }));
        }
        const isForbidden = status.media.some(({ medium, condition }) => medium === 'audio' && condition.scan === 'forbidden');
        if (isForbidden !== this.#isMicrophoneForbidden) {
            this.#isMicrophoneForbidden = isForbidden;
            this.dispatchEvent(new CustomEvent('microphone', { detail: isForbidden }));
        }
        this.dispatchEvent(new CustomEvent('status', { detail: statusInWords(status) }));
    }

    /** One question at a time. */
    async #ask() {
        const request = this.#options.permissionRequest;
        if (!request || this.#isAsking) return;
        this.#isAsking = true;
        try {
            const isGranted = await request();
            if (isGranted !== undefined) this.setPermission(isGranted ? 'granted' : 'denied');
        } finally {
            this.#isAsking = false;
        }
    }
}
