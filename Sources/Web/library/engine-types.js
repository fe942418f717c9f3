/**
 * What goes between a page and its engine, as the Swift engine has it. Times are whole microseconds; tokens and names of publications are
 * 16 hex digits.
 *
 * @module
 */

/** @typedef {'undecided' | 'granted' | 'denied'} Permission */
/** @typedef {'audio' | 'ble' | 'lan'} Medium */
/** @typedef {'missing' | 'forbidden' | 'poweredOff' | 'failing' | 'heldBack'} Obstacle */
/** @typedef {'unreachable' | 'unknownDevice' | 'rateLimited' | 'refused' | 'notReady'} RegistryErrorKind */
/** @typedef {{ namespace: string, type: string, content: Uint8Array }} Message */
/** @typedef {{ snrDecibels?: number, rssiDBm?: number }} Signal */
/** @typedef {{ broadcast?: Obstacle, broadcastReason?: string, scan?: Obstacle, scanReason?: string, near?: boolean }} Condition */
/** @typedef {{ kind: RegistryErrorKind, why: string, retryAfter?: number }} RegistryError */

/**
 * @typedef {object} Strategy
 * @property {Medium[]} media
 * @property {('broadcast' | 'scan')[]} mode
 * @property {boolean} [allowInBackground]
 * @property {number} [timeToLive]
 * @property {boolean} [earshot]
 * @property {boolean} [isMutual]
 */

/** @typedef {{ namespace?: string, type?: string, audioBytes?: boolean }} Rule */

/**
 * @typedef {{ kind: 'publish', id: number, message?: Message, audioBytes?: Uint8Array, strategy: Strategy }
 *     | { kind: 'republish', id: number, message: Message }
 *     | { kind: 'unpublish' | 'unsubscribe', id: number }
 *     | { kind: 'subscribe', id: number, rules: Rule[], strategy: Strategy }} Operation
 */

/** @typedef {{ change: 'found' | 'updated' | 'lost', subscription: number, publication: string, message: Message }} Delivery */
/** @typedef {{ token: string, medium: Medium, startsIn: number, timeToLive: number }} Grant */
/** @typedef {{ mailbox?: string, news?: number, deliveries: Delivery[], keepAlive?: number, grants: Grant[] }} Told */

/**
 * @typedef {Told & {
 *     verdicts: ('valid' | 'invalid' | 'notJudged')[],
 *     patience: number[],
 *     refused: { id: number, error: string }[],
 * }} Answer
 */

/**
 * @typedef {{ kind: 'execute', operations: Operation[] }
 *     | { kind: 'permission', permission: Permission }
 *     | { kind: 'background', isInBackground: boolean }
 *     | { kind: 'condition', condition: Condition }
 *     | { kind: 'sent' | 'advance' | 'end' }
 *     | { kind: 'sighted', frame: Uint8Array, age: number, signal?: Signal }
 *     | { kind: 'answered', answer: Answer }
 *     | { kind: 'told', told: Told }
 *     | { kind: 'failed', error: RegistryError }} EngineEvent
 */

/**
 * @typedef {object} Broadcast
 * @property {{ kind: 'token' | 'audioBytes' | 'sealed', frame: Uint8Array }[]} payloads sent in turn
 * @property {boolean} near
 * @property {{ least: number, most: number }} [listening] between frames; without it, one follows the other
 */

/** @typedef {{ isScanning: boolean, isInBackground: boolean, broadcast?: Broadcast }} Assignment */

/**
 * @typedef {object} Report
 * @property {{ id: number, message: Message, strategy: Strategy }[]} published
 * @property {{ id: number, rules: Rule[], strategy: Strategy }[]} subscribed
 * @property {number[]} ended
 * @property {({ token: string, medium: Medium, age: number } & Signal)[]} observations
 * @property {{ token: string, medium: Medium, period: number }[]} playing
 * @property {Medium[]} wantsTokens
 * @property {boolean} takesTokensAhead
 * @property {boolean} isComplete
 * @property {boolean} isFarewell
 * @property {boolean} observationsAreComplete the observations are all that is heard
 * @property {string} [mailbox]
 * @property {number} takenNews
 * @property {number} number
 */

/** @typedef {{ kind: 'permission', permission: Permission } | { kind: 'background' | 'notAsked' } | { kind: 'obstacle', obstacle: Obstacle }} Refusal */
/** @typedef {{ state: 'inactive' | 'starting' | 'active' | 'expired', refusals?: { medium: Medium, refusal: Refusal }[] }} OperationStatus */

/**
 * @typedef {object} EngineStatus
 * @property {Permission} permission
 * @property {boolean} isInBackground
 * @property {{ medium: Medium, condition: Condition, isBroadcasting: boolean, isScanning: boolean, isUnheard: boolean,
 *     neighbours: number }[]} media
 * @property {{ kind: RegistryErrorKind, line: string }} [registryError]
 */

/**
 * @typedef {{ kind: 'assign', medium: Medium, assignment: Assignment }
 *     | { kind: 'report', report: Report }
 *     | { kind: 'deliver', id: number, event: 'found' | 'updated' | 'lost', publication: string, message: Message }
 *     | { kind: 'heardBytes', id: number, bytes: Uint8Array }
 *     | { kind: 'expired' | 'askPermission', id: number }
 *     | { kind: 'operation', id: number, status: OperationStatus }
 *     | { kind: 'status', status: EngineStatus }} EngineAction
 */

/** @typedef {{ nextDeadline?: number, actions: EngineAction[] }} ToDo */

/** Codes of records are places in these. */
export const codes = {
    /** @type {Medium[]} */
    media: ['audio', 'ble'],
    /** @type {Permission[]} */
    permissions: ['undecided', 'granted', 'denied'],
    /** @type {Obstacle[]} */
    obstacles: ['missing', 'forbidden', 'poweredOff', 'failing', 'heldBack'],
    /** @type {RegistryErrorKind[]} */
    registryErrors: ['unreachable', 'unknownDevice', 'rateLimited', 'refused', 'notReady'],
    verdicts: ['valid', 'invalid', 'notJudged'],
    changes: ['found', 'updated', 'lost'],
    payloads: /** @type {const} */ (['token', 'audioBytes', 'sealed']),
    states: /** @type {const} */ (['inactive', 'starting', 'active', 'expired']),
};
