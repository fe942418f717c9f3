/**
 * Why nothing, or less, can be heard.
 *
 * @typedef {'insecure' | 'no-webassembly' | 'denied' | 'no-microphone' | 'microphone-busy' | 'processing' | 'filtered' | 'low-rate'
 *     | 'silent' | 'suspended' | 'device-lost' | 'lagging' | 'receiver-failed'} ProblemKind
 */

/**
 * @typedef {object} Problem
 * @property {ProblemKind} kind
 * @property {string} message what is wrong, a sentence for people
 * @property {string} remedy what they can do about it
 */

/**
 * Problems of which the audible waveform knows nothing.
 * @type {ReadonlySet<ProblemKind>}
 */
export const bandProblems = new Set(/** @type {ProblemKind[]} */ (['processing', 'filtered', 'low-rate']));

/** @type {Record<ProblemKind, [message: string, remedy: string]>} */
const texts = {
    'insecure': [
        'Browsers give the microphone only to pages that come by https, or from this machine.',
        'Open the page by its https address.'],
    'no-webassembly': [
        'This browser has no WebAssembly, in which the receiver is written.',
        'Use a browser of 2017 or later, and allow WebAssembly in its settings.'],
    'denied': [
        'The microphone may not be used by this page.',
        'Allow it in the site\'s settings, beside the address, and listen again.'],
    'no-microphone': ['No microphone was found.', 'Plug one in, or choose another device.'],
    'microphone-busy': [
        'The microphone is there, but cannot be opened.', 'Close other programs that use it, and listen again.'],
    'processing': [
        'This browser processes the sound ($), which takes away everything above 16 kHz.',
        'Use another browser or microphone, or let boxes send the audible waveform.'],
    'filtered': [
        'This browser or microphone filters sound above 16 kHz ($ dB under the rest).',
        'Use the audible waveform, or another microphone.'],
    'low-rate': [
        'The microphone takes $ samples a second; near-ultrasonic tokens need 44100. Bluetooth headsets do that.',
        'Choose the device\'s own microphone.'],
    'silent': [
        'The microphone gives nothing at all, not even noise.',
        'It may be muted by a switch, by the system, or by another call: switch it on.'],
    'suspended': ['The browser has paused listening.', 'Tap the page, or come back to it.'],
    'device-lost': [
        'The microphone is gone ($).',
        'Plug it in again, or choose another one: listening goes on by itself. If all devices are gone, restart the browser.'],
    'lagging': [
        'This device is too slow for all the waveforms: some seconds of sound were dropped.',
        'Listen for fewer waveforms, or close other pages.'],
    'receiver-failed': [
        'The receiver failed and was started anew ($). What it was about to hear is lost.',
        'If it happens again, please report it.'],
};

/**
 * A problem in words.
 *
 * @param {ProblemKind} kind
 * @param {string} [detail] takes the place of `$`
 * @returns {Problem}
 */
export function problem(kind, detail = '') {
    const [message, remedy] = texts[kind];
    return { kind, message: message.replace('$', detail), remedy };
}

/** Why listening cannot begin. */
export class ListenerError extends Error {
    /** @param {Problem} problem */
    constructor(problem) {
        super(`${problem.message} ${problem.remedy}`);
        this.name = 'ListenerError';
        this.problem = problem;
    }
}
