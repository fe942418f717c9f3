/** @typedef {import('./engine-types.js').Message} Message */
/** @typedef {import('./engine-types.js').Operation} Operation */
/** @typedef {import('./engine-types.js').OperationStatus} OperationStatus */

/**
 * @typedef {object} StrategyOptions
 * @property {'audio'[]} [media] the only one that pages have
 * @property {'broadcast' | 'scan' | 'both'} [discovery] is heard, hears, or both, as by default; who only scans makes no sound
 * @property {number} [ttlSeconds] after which it ends by itself; at most a day
 * @property {boolean} [isMutual] each must hear the other
 */

/**
 * Detail of `found`, `updated` and `lost`.
 *
 * @typedef {object} Found
 * @property {Message} message as it is now; of one that is lost, as it was told last
 * @property {string[]} media by which devices are found here: "audio"
 * @property {string} publication joins the events of one publication
 * @property {number} subscription the number of that which wants it
 */

/**
 * @param {StrategyOptions} [options]
 * @returns {import('./engine-types.js').Strategy}
 */
export function strategyOf(options = {}) {
    const { media = ['audio'], discovery = 'both', ttlSeconds, isMutual = false } = options;
    /** @type {Record<string, ('broadcast' | 'scan')[]>} */
    const modes = { broadcast: ['broadcast'], scan: ['scan'], both: ['broadcast', 'scan'] };
    if (!modes[discovery]) throw new RangeError(`expected a discovery of broadcast, scan or both, not '${discovery}'`);
    if (media.some((medium) => medium !== 'audio')) throw new RangeError(`a page has audio alone, not ${media.join(', ')}`);
    if (ttlSeconds !== undefined && !(ttlSeconds > 0 && ttlSeconds <= 86_400)) {
        throw new RangeError(`expected a time to live of more than 0 and at most 86400 seconds, not ${ttlSeconds}`);
    }
    const timeToLive = ttlSeconds === undefined ? undefined : Math.round(1e6 * ttlSeconds);
    return { media, mode: modes[discovery], timeToLive, isMutual };
}

/**
 * @typedef {object} OperationEvents
 * @property {OperationStatus} status of both
 * @property {Found} found of a subscription, as all that follow
 * @property {Found} updated
 * @property {Found} lost
 * @property {{ subscription: number }} expired its time to live is over
 * @property {{ bytes: Uint8Array, subscription: number }} heardbytes
 */

/**
 * What a publication and a subscription have in common.
 */
class LiveOperation extends /** @type {new () => import('./emitter.js').Emitter<OperationEvents>} */ (EventTarget) {
    /** @type {OperationStatus} */
    status = { state: 'starting' };

    /**
     * @param {number} number
     * @param {(operation: Operation) => void} execute
     */
    constructor(number, execute) {
        super();
        this.number = number;
        this.execute = execute;
    }

    /** Names it among the client's. */
    get id() { return String(this.number); }

    /** @param {OperationStatus} status */
    note(status) {
        this.status = status;
        this.dispatchEvent(new CustomEvent('status', { detail: status }));
    }
}

/** A message that others find, until it is unpublished. */
export class Publication extends LiveOperation {
    /**
     * Others have this content from now on.
     *
     * @param {{ type?: string, content: Uint8Array | string, namespace?: string }} message
     */
    update(message) { this.execute({ kind: 'republish', id: this.number, message: this.read(message) }); }

    /** Whoever has found it loses it. */
    unpublish() { this.execute({ kind: 'unpublish', id: this.number }); }

    /**
     * @param {{ type?: string, content: Uint8Array | string, namespace?: string }} message
     * @returns {Message}
     */
    read({ type = '', content, namespace = '' }) {
        return { type, namespace, content: typeof content === 'string' ? new TextEncoder().encode(content) : content };
    }
}

/** What is looked for, until it is unsubscribed. */
export class Subscription extends LiveOperation {
    /** Nothing more is found. */
    unsubscribe() { this.execute({ kind: 'unsubscribe', id: this.number }); }
}
