import { codes } from './engine-types.js';
import { bytes, hex } from './hex.js';

// Bodies of `POST /v1/report`, as `NearbyWire` in Swift has them.

/** @typedef {import('./engine-types.js').Report} Report */
/** @typedef {import('./engine-types.js').Answer} Answer */

/** What came is not what was expected: where, and what was. */
export class WireError extends Error {}

/**
 * Bytes as standard base64.
 *
 * @param {Uint8Array} content
 */
export function base64(content) {
    let letters = '';
    for (const byte of content) letters += String.fromCharCode(byte);
    return btoa(letters);
}

/** @param {string} token hex digits; returns 11 characters of base64url */
function wireToken(token) { return base64(bytes(token)).replaceAll('+', '-').replaceAll('/', '_').replace('=', ''); }

/** @param {{ [name: string]: unknown }} members without those that say nothing */
function brief(members) {
    /** @param {[string, unknown]} member */
    const says = ([, value]) => value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0);
    return Object.fromEntries(Object.entries(members).filter(says));
}

/** @param {number} microseconds */
const millis = (microseconds) => Math.trunc(microseconds / 1000);

/** @param {import('./engine-types.js').Message} message */
const wireMessage = ({ namespace, type, content }) => ({ ...brief({ namespace, type }), content: base64(content) });

/** @param {import('./engine-types.js').Strategy} strategy */
const wireStrategy = ({ media, mode, earshot, isMutual, timeToLive }) => ({
    media, mode,
    ...brief({
        reach: earshot ? 'earshot' : undefined, isMutual,
        timeToLiveMillis: timeToLive === undefined ? undefined : millis(timeToLive),
    }),
});

/**
 * The body of a report.
 *
 * @param {Report} report
 * @param {number} observationLimit that the server takes; those left out get no verdict, and so the engine names them again
 */
export function reportBody(report, observationLimit) {
    const { mailbox, number, isComplete, isFarewell, wantsTokens, takesTokensAhead, ended } = report;
    const observationsAreComplete = report.observationsAreComplete && report.observations.length <= observationLimit;
    return {
        ...brief({
            publish: report.published.map(({ id, message, strategy }) =>
                ({ id, message: wireMessage(message), strategy: wireStrategy(strategy) })),
            subscribe: report.subscribed.map(({ id, rules, strategy }) => ({
                id,
                // An empty type is a type; without one, every type is wanted.
                filter: rules.map(({ namespace, type }) => ({ ...brief({ namespace }), ...(type === undefined ? {} : { type }) })),
                strategy: wireStrategy(strategy),
            })),
            end: ended,
            observations: report.observations.slice(0, observationLimit).map(({ token, medium, age, snrDecibels, rssiDBm }) =>
                ({ token: wireToken(token), medium, ageMillis: millis(age), snrDecibels, rssiDBm })),
            playing: report.playing.map(({ token, medium, period }) =>
                ({ token: wireToken(token), medium, periodMillis: millis(period) })),
            wantsTokens, takesTokensAhead, mailbox, isComplete, isFarewell, observationsAreComplete,
        }),
        ...(mailbox === undefined ? {} : { takenNews: report.takenNews }),
        number,
    };
}

/**
 * @param {boolean} isSo
 * @param {string} place
 * @param {string} expected
 */
function expect(isSo, place, expected) {
    if (!isSo) throw new WireError(`${place}: expected ${expected}`);
}

/**
 * @param {unknown} value
 * @param {string} place
 * @returns {any[]}
 */
function list(value, place) {
    expect(value === undefined || value === null || Array.isArray(value), place, 'a list');
    return /** @type {any[]} */ (value ?? []);
}

/**
 * @param {unknown} value
 * @param {string} place
 */
function token(value, place) {
    expect(typeof value === 'string' && /^[\w+/-]{11}=?$/.test(value), place, '11 characters of base64url');
    return hex(fromBase64(/** @type {string} */ (value), place));
}

/**
 * @param {string} text
 * @param {string} place
 */
function fromBase64(text, place) {
    try {
        return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
    } catch {
        throw new WireError(`${place}: expected base64`);
    }
}

/**
 * @template {string} T
 * @param {any} value
 * @param {readonly T[]} words
 * @param {string} place
 * @returns {T}
 */
function word(value, words, place) {
    expect(words.includes(value), place, words.join(', '));
    return value;
}

/**
 * @param {any} value
 * @param {string} place
 * @param {number} least
 * @returns {number}
 */
function whole(value, place, least) {
    expect(Number.isSafeInteger(value) && value >= least, place, `a whole number of ${least} or more`);
    return value;
}

/**
 * @param {any} value
 * @param {string} place
 */
function message(value, place) {
    expect(typeof value === 'object' && value !== null && typeof value.content === 'string', place, 'a message with content');
    const [namespace, type] = [value.namespace ?? '', value.type ?? ''];
    expect(typeof namespace === 'string' && typeof type === 'string', place, 'a namespace and a type as texts');
    return { namespace, type, content: fromBase64(value.content, `${place}.content`) };
}

/**
 * A time that the server may leave out: microseconds, at least a second.
 *
 * @param {any} value milliseconds
 * @param {string} place
 */
function micros(value, place) {
    if (value === undefined || value === null) return undefined;
    return 1000 * Math.min(Math.max(1000, whole(value, place, 0)), 1e9);
}

/**
 * The events of a body: of an event, or of an answer.
 *
 * @param {any} body
 * @returns {import('./engine-types.js').Told}
 */
export function told(body) {
    expect(typeof body === 'object' && body !== null && !Array.isArray(body), '', 'an object');
    expect(body.mailbox === undefined || body.mailbox === null || typeof body.mailbox === 'string', 'mailbox', 'a text');
    const news = body.news ?? undefined;
    return {
        mailbox: body.mailbox ?? undefined,
        news: news === undefined ? undefined : whole(news, 'news', 0),
        deliveries: list(body.deliveries, 'deliveries').map((one, n) => ({
            change: /** @type {any} */ (word(one?.change, codes.changes, `deliveries[${n}].change`)),
            subscription: whole(one.subscription, `deliveries[${n}].subscription`, 1),
            publication: token(one.publication, `deliveries[${n}].publication`),
            message: message(one.message, `deliveries[${n}].message`),
        })),
        grants: list(body.grants, 'grants').map((one, n) => ({
            token: token(one?.token, `grants[${n}].token`),
            medium: word(one.medium, codes.media, `grants[${n}].medium`),
            startsIn: 1000 * whole(one.startsInMillis ?? 0, `grants[${n}].startsInMillis`, 0),
            timeToLive: 1000 * whole(one.timeToLiveMillis, `grants[${n}].timeToLiveMillis`, 0),
        })),
        keepAlive: micros(body.keepAliveMillis, 'keepAliveMillis'),
    };
}

/**
 * The answer to a report.
 *
 * @param {any} body
 * @param {Report} report
 * @returns {Answer}
 */
export function answer(body, report) {
    const notice = told(body);
    return {
        ...notice,
        verdicts: verdicts(body, report),
        patience: list(body.patienceMillis, 'patienceMillis').map((one, n) =>
            1000 * Math.min(whole(one, `patienceMillis[${n}]`, 0), 1e9)),
        refused: list(body.refused, 'refused').map((one, n) => {
            expect(typeof one?.error === 'string', `refused[${n}].error`, 'a text');
            return { id: whole(one.id, `refused[${n}].id`, 1), error: one.error };
        }),
    };
}

/**
 * Of a server that has no verdicts by medium, the two lists; there, a token in neither was not judged.
 *
 * @param {any} body
 * @param {Report} report
 * @returns {Answer['verdicts']}
 */
function verdicts(body, report) {
    if (body.verdicts !== undefined && body.verdicts !== null) {
        return list(body.verdicts, 'verdicts').map((one, n) => /** @type {any} */ (word(one, codes.verdicts, `verdicts[${n}]`)));
    }
    const good = new Set(list(body.valid, 'valid').map((one, n) => token(one, `valid[${n}]`)));
    const bad = new Set(list(body.invalid, 'invalid').map((one, n) => token(one, `invalid[${n}]`)));
    return report.observations.map((one) => (good.has(one.token) ? 'valid' : bad.has(one.token) ? 'invalid' : 'notJudged'));
}
