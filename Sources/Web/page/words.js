/** @typedef {import('./problems.js').ProblemKind} ProblemKind */
/** @typedef {import('./health.js').Health} Health */

/** What a button under a trouble does. */
/** @typedef {'audible' | 'microphone' | 'listen' | 'resume' | 'fewer' | 'https'} Action */

/**
 * What a trouble is called, and what can be done about it here. Its sentences are the library's: see `problems.js`.
 *
 * @type {Record<ProblemKind, { title: string, actions: Action[] }>}
 */
export const troubleWords = {
    'insecure': { title: 'The address is not secure', actions: ['https'] },
    'no-webassembly': { title: 'This browser is too old', actions: [] },
    'denied': { title: 'No permission to listen', actions: ['listen'] },
    'no-microphone': { title: 'No microphone', actions: ['microphone', 'listen'] },
    'microphone-busy': { title: 'The microphone is in use', actions: ['listen', 'microphone'] },
    'processing': { title: 'The browser changes the sound', actions: ['audible', 'microphone'] },
    'filtered': { title: 'Nothing above 16 kHz gets through', actions: ['audible', 'microphone'] },
    'low-rate': { title: 'This microphone hears no sound this high', actions: ['microphone', 'audible'] },
    'silent': { title: 'Silence', actions: ['microphone'] },
    'suspended': { title: 'Listening is paused', actions: ['resume'] },
    'device-lost': { title: 'The microphone is gone', actions: ['microphone'] },
    'lagging': { title: 'This device is too slow', actions: ['fewer'] },
    'receiver-failed': { title: 'The receiver was started anew', actions: [] },
};

/** @type {Record<Action, string>} */
export const actionWords = {
    audible: 'Use the audible waveform',
    microphone: 'Choose a microphone',
    listen: 'Listen again',
    resume: 'Go on',
    fewer: 'Listen for dsss alone',
    https: 'Open it by https',
};

/** Said of a problem that the library itself makes up for. */
export const fallbackWords = 'Until then the page listens for the audible waveform too.';

/**
 * What the page is doing, under its button.
 *
 * @param {import('./listener.js').ListenerState | 'starting' | 'failed' | 'idle'} state
 */
export function stateWords(state) {
    switch (state) {
        case 'idle': return 'Tap to hear what is near.';
        case 'starting': return 'Opening the microphone …';
        case 'listening': return 'Listening.';
        case 'suspended': return 'Paused by the browser.';
        case 'reconnecting': return 'Waiting for the microphone …';
        case 'failed': return 'Not listening.';
        case 'stopped': return 'Stopped. The microphone is off.';
    }
}

/**
 * How each second's health is told.
 *
 * @param {Health} health
 * @returns {{ name: string, value: string, isPoor: boolean, isWide?: boolean }[]}
 */
export function healthWords(health) {
    const { sampleRate, deviceLabel, levelDBFS, bandDecibels, lagSeconds, profiles, microphones } = health;
    const label = deviceLabel || 'not named';
    return [
        { name: 'Microphone', value: microphones > 1 ? `${label}, ${microphones} heard together` : label, isPoor: false, isWide: true },
        { name: 'Waveforms', value: profiles.join(', '), isPoor: false, isWide: true },
        { name: 'Sample rate', value: `${sampleRate / 1000} kHz`, isPoor: sampleRate < 44_100 },
        { name: 'Processing', ...processingWords(health) },
        { name: 'Level', value: levelDBFS < -120 ? 'silence' : `${decibels(levelDBFS)}FS`, isPoor: levelDBFS < -120 },
        { name: '18.5–20 kHz', ...bandWords(bandDecibels) },
        { name: 'Behind', value: `${lagSeconds.toFixed(1)} s`, isPoor: lagSeconds > 2 },
    ];
}

/** @param {Health} health */
function processingWords({ echoCancellation, noiseSuppression }) {
    const on = [echoCancellation && 'echo', noiseSuppression && 'noise'].filter(Boolean);
    if (on.length > 0) return { value: `on: ${on.join(', ')}`, isPoor: true };
    const isTold = echoCancellation !== undefined && noiseSuppression !== undefined;
    return { value: isTold ? 'off' : 'not told', isPoor: false };
}

/** @param {number} band decibels over 8–12 kHz */
function bandWords(band) {
    if (Number.isNaN(band)) return { value: 'no sound yet', isPoor: false };
    return band < -50 ? { value: `${decibels(band)}, filtered`, isPoor: true } : { value: `${decibels(band)}, open`, isPoor: false };
}

/** @param {number} value */
export function decibels(value) { return `${signed(value, 0)} dB`; }

/**
 * With a minus as typographers have it.
 *
 * @param {number} value
 * @param {number} digits
 */
export function signed(value, digits) {
    const text = value.toFixed(digits);
    return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '−');
}

/**
 * @param {number} seconds
 */
export function ago(seconds) {
    if (seconds < 2) return 'now';
    return seconds < 60 ? `${Math.floor(seconds)} s ago` : `${Math.floor(seconds / 60)} min ago`;
}

/**
 * @param {number} count
 */
export function times(count) { return count === 1 ? 'once' : `${count} times`; }

/** @param {readonly string[]} names */
export function list(names) {
    return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
