import { codes } from './engine-types.js';
import { hex } from './hex.js';
import { RecordReader } from './record.js';

/** @typedef {import('./engine-types.js').EngineAction} EngineAction */

/**
 * What an engine wants done, of the record that `ActionFields` in Swift writes.
 *
 * @param {Uint8Array} record
 * @returns {import('./engine-types.js').ToDo}
 */
export function toDo(record) {
    const reader = new RecordReader(record);
    const deadline = reader.number();
    const actions = reader.list(() => readAction(reader));
    return { nextDeadline: deadline < 0 ? undefined : deadline, actions };
}

/**
 * @param {RecordReader} reader
 * @returns {EngineAction}
 */
function readAction(reader) {
    const kind = reader.code();
    switch (kind) {
    case 1: return { kind: 'assign', medium: codes.media[reader.code()], assignment: readAssignment(reader) };
    case 2: return { kind: 'report', report: readReport(reader) };
    case 3: return readDelivery(reader, reader.number());
    case 4: return { kind: 'operation', id: reader.number(), status: readOperationStatus(reader) };
    case 5: return { kind: 'status', status: readStatus(reader) };
    case 6: return { kind: 'askPermission', id: reader.number() };
    default: throw new RangeError(`the engine asks for ${kind}, which this page does not know: load both from one place`);
    }
}

/** @param {RecordReader} reader */
function readToken(reader) { return hex(reader.raw(8)); }

/** @param {RecordReader} reader */
function readMessage(reader) { return { namespace: reader.text(), type: reader.text(), content: reader.sized() }; }

/** @param {RecordReader} reader */
function readMedium(reader) { return codes.media[reader.code()]; }

/**
 * @param {RecordReader} reader
 * @returns {import('./engine-types.js').Assignment}
 */
function readAssignment(reader) {
    return {
        isScanning: reader.flag(),
        isInBackground: reader.flag(),
        broadcast: reader.optional(() => ({
            payloads: reader.list(() => ({ kind: codes.payloads[reader.code()], frame: reader.sized() })),
            near: reader.flag(),
            listening: reader.optional(() => ({ least: reader.number(), most: reader.number() })),
        })),
    };
}

/**
 * @param {RecordReader} reader
 * @param {number} id
 * @returns {EngineAction}
 */
function readDelivery(reader, id) {
    const event = reader.code();
    switch (event) {
    case 4: return { kind: 'heardBytes', id, bytes: reader.sized() };
    case 5: return { kind: 'expired', id };
    default: {
        const name = /** @type {const} */ (['found', 'updated', 'lost'])[event - 1];
        return { kind: 'deliver', id, event: name, publication: readToken(reader), message: readMessage(reader) };
    }
    }
}

/**
 * @param {RecordReader} reader
 * @returns {import('./engine-types.js').OperationStatus}
 */
function readOperationStatus(reader) {
    const state = codes.states[reader.code()];
    if (state !== 'inactive') return { state };
    return { state, refusals: reader.list(() => ({ medium: readMedium(reader), refusal: readRefusal(reader) })) };
}

/**
 * @param {RecordReader} reader
 * @returns {import('./engine-types.js').Refusal}
 */
function readRefusal(reader) {
    switch (reader.code()) {
    case 0: return { kind: 'permission', permission: codes.permissions[reader.code()] };
    case 1: return { kind: 'background' };
    case 2: return { kind: 'obstacle', obstacle: codes.obstacles[reader.code()] };
    default: return { kind: 'notAsked' };
    }
}

/**
 * @param {RecordReader} reader
 * @returns {import('./engine-types.js').Condition}
 */
function readCondition(reader) {
    const obstacle = () => reader.optional(() => codes.obstacles[reader.code()]);
    const reason = () => reader.optional(() => reader.text());
    return { broadcast: obstacle(), broadcastReason: reason(), scan: obstacle(), scanReason: reason(), near: reader.flag() };
}

/**
 * @param {RecordReader} reader
 * @returns {import('./engine-types.js').EngineStatus}
 */
function readStatus(reader) {
    return {
        permission: codes.permissions[reader.code()],
        isInBackground: reader.flag(),
        media: reader.list(() => ({
            medium: readMedium(reader),
            condition: readCondition(reader),
            isBroadcasting: reader.flag(),
            isScanning: reader.flag(),
            isUnheard: reader.flag(),
            neighbours: reader.count(),
        })),
        registryError: reader.optional(() => ({ kind: codes.registryErrors[reader.code()], line: reader.text() })),
    };
}

/** @param {RecordReader} reader */
function readStrategy(reader) {
    const [media, mode] = [reader.code(), reader.code()];
    return {
        media: codes.media.filter((_, place) => media >> place & 1),
        mode: /** @type {const} */ (['broadcast', 'scan']).filter((_, place) => mode >> place & 1),
        allowInBackground: reader.flag(),
        timeToLive: reader.optional(() => reader.number()),
        earshot: reader.flag(),
        isMutual: reader.flag(),
    };
}

/** @param {RecordReader} reader */
function readRule(reader) {
    if (reader.code() === 0) return { namespace: reader.text() };
    return { type: reader.text(), namespace: reader.text() };
}

/**
 * @param {RecordReader} reader
 * @returns {import('./engine-types.js').Report}
 */
function readReport(reader) {
    return {
        published: reader.list(() => ({ id: reader.number(), message: readMessage(reader), strategy: readStrategy(reader) })),
        subscribed: reader.list(() => ({
            id: reader.number(), rules: reader.list(() => readRule(reader)), strategy: readStrategy(reader),
        })),
        ended: reader.list(() => reader.number()),
        observations: reader.list(() => ({
            token: readToken(reader),
            medium: readMedium(reader),
            age: reader.number(),
            snrDecibels: reader.optional(() => reader.number()),
            rssiDBm: reader.optional(() => reader.number()),
        })),
        playing: reader.list(() => ({ token: readToken(reader), medium: readMedium(reader), period: reader.number() })),
        wantsTokens: readMedia(reader.code()),
        takesTokensAhead: reader.flag(),
        isComplete: reader.flag(),
        isFarewell: reader.flag(),
        observationsAreComplete: reader.flag(),
        mailbox: reader.optional(() => reader.text()),
        takenNews: reader.number(),
        number: reader.number(),
    };
}

/** @param {number} mask */
function readMedia(mask) { return codes.media.filter((_, place) => mask >> place & 1); }
