import { codes } from './engine-types.js';
import { bytes } from './hex.js';
import { RecordWriter } from './record.js';

/** @typedef {import('./engine-types.js').EngineEvent} EngineEvent */
/** @typedef {import('./engine-types.js').Message} Message */
/** @typedef {import('./engine-types.js').Strategy} Strategy */

/**
 * What an engine begins with, as a record.
 *
 * @param {import('./engine-types.js').Permission} permission
 * @param {Uint8Array} seed 32 random bytes
 * @param {string} [offlineKey] a key file's text
 */
export function beginning(permission, seed, offlineKey) {
    const writer = new RecordWriter();
    writer.code(code(codes.permissions, permission));
    writer.sized(seed);
    writer.optional(offlineKey, (text) => writer.text(text));
    return writer.bytes;
}

/** Codes of events. */
const kinds = ['', 'execute', 'permission', 'background', 'condition', 'sent', 'sighted', 'answered', 'told', 'failed', 'advance', 'end'];

/**
 * An event as a record, for `WebEvent` in Swift.
 *
 * @param {EngineEvent} event
 * @param {number} nowMicroseconds
 * @param {number} wallMicroseconds
 */
export function eventRecord(event, nowMicroseconds, wallMicroseconds) {
    const writer = new RecordWriter();
    writer.code(code(kinds, event.kind));
    writer.number(nowMicroseconds);
    writer.number(wallMicroseconds);
    switch (event.kind) {
    case 'execute': writer.list(event.operations, (one) => putOperation(writer, one)); break;
    case 'permission': writer.code(code(codes.permissions, event.permission)); break;
    case 'background': writer.flag(event.isInBackground); break;
    case 'condition': putCondition(writer, event.condition); break;
    case 'sighted':
        writer.sized(event.frame);
        writer.number(event.age);
        writer.optional(event.signal?.snrDecibels, (number) => writer.number(number));
        writer.optional(event.signal?.rssiDBm, (number) => writer.number(number));
        break;
    case 'answered': putAnswer(writer, event.answer); break;
    case 'told': putTold(writer, event.told); break;
    case 'failed': putError(writer, event.error); break;
    }
    return writer.bytes;
}

/**
 * @template T
 * @param {readonly T[]} values
 * @param {T} value
 */
function code(values, value) {
    const place = values.indexOf(value);
    if (place < 0) throw new RangeError(`expected one of ${values.filter(Boolean).join(', ')}, not '${value}'`);
    return place;
}

/**
 * @param {RecordWriter} writer
 * @param {Message} message
 */
function putMessage(writer, message) {
    writer.text(message.namespace);
    writer.text(message.type);
    writer.sized(message.content);
}

/**
 * @param {RecordWriter} writer
 * @param {Strategy} strategy
 */
function putStrategy(writer, strategy) {
    writer.code(strategy.media.reduce((mask, medium) => mask | 1 << code(codes.media, medium), 0));
    writer.code((strategy.mode.includes('broadcast') ? 1 : 0) | (strategy.mode.includes('scan') ? 2 : 0));
    writer.flag(strategy.allowInBackground ?? false);
    writer.optional(strategy.timeToLive, (time) => writer.number(time));
    writer.flag(strategy.earshot ?? false);
    writer.flag(strategy.isMutual ?? false);
}

/**
 * @param {RecordWriter} writer
 * @param {import('./engine-types.js').Operation} one
 */
function putOperation(writer, one) {
    writer.code(code(['', 'publish', 'republish', 'unpublish', 'subscribe', 'unsubscribe'], one.kind));
    writer.number(one.id);
    switch (one.kind) {
    case 'publish':
        writer.flag(one.audioBytes !== undefined);
        if (one.audioBytes) writer.sized(one.audioBytes);
        else if (one.message) putMessage(writer, one.message);
        putStrategy(writer, one.strategy);
        break;
    case 'republish': putMessage(writer, one.message); break;
    case 'subscribe':
        writer.list(one.rules, (rule) => {
            writer.code(rule.audioBytes ? 2 : rule.type === undefined ? 0 : 1);
            if (rule.audioBytes) return;
            if (rule.type !== undefined) writer.text(rule.type);
            writer.text(rule.namespace ?? '');
        });
        putStrategy(writer, one.strategy);
        break;
    }
}

/**
 * @param {RecordWriter} writer
 * @param {import('./engine-types.js').Condition} condition
 */
function putCondition(writer, condition) {
    for (const role of /** @type {const} */ (['broadcast', 'scan'])) {
        writer.optional(condition[role], (obstacle) => writer.code(code(codes.obstacles, obstacle)));
        writer.optional(condition[`${role}Reason`], (reason) => writer.text(reason));
    }
    writer.flag(condition.near ?? false);
}

/**
 * @param {RecordWriter} writer
 * @param {import('./engine-types.js').Answer} answer
 */
function putAnswer(writer, answer) {
    writer.list(answer.verdicts, (verdict) => writer.code(code(codes.verdicts, verdict)));
    writer.list(answer.patience, (time) => writer.number(time));
    writer.list(answer.refused, (one) => {
        writer.number(one.id);
        writer.text(one.error);
    });
    putTold(writer, answer);
}

/**
 * @param {RecordWriter} writer
 * @param {import('./engine-types.js').Told} told
 */
function putTold(writer, told) {
    writer.optional(told.mailbox, (name) => writer.text(name));
    writer.optional(told.news, (number) => writer.number(number));
    writer.list(told.deliveries, (one) => {
        writer.code(code(codes.changes, one.change));
        writer.number(one.subscription);
        writer.raw(bytes(one.publication));
        putMessage(writer, one.message);
    });
    writer.optional(told.keepAlive, (time) => writer.number(time));
    writer.list(told.grants, (grant) => {
        writer.raw(bytes(grant.token));
        writer.code(code(codes.media, grant.medium));
        writer.number(grant.startsIn);
        writer.number(grant.timeToLive);
    });
}

/**
 * @param {RecordWriter} writer
 * @param {import('./engine-types.js').RegistryError} error
 */
function putError(writer, error) {
    writer.code(code(codes.registryErrors, error.kind));
    if (error.kind === 'rateLimited') writer.number(error.retryAfter ?? 0);
    else if (error.kind !== 'unknownDevice') writer.text(error.why);
}
