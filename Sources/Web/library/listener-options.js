import { hasVectors } from './wasm.js';

/** @typedef {import('./modem.js').Modem} Modem */

/**
 * How well it hears, each second.
 *
 * @typedef {object} Health
 * @property {number} sampleRate of the sound that the receiver takes
 * @property {string} deviceLabel
 * @property {boolean} [echoCancellation] as the browser tells; it takes the band
 * @property {boolean} [noiseSuppression] as the browser tells; it takes the band
 * @property {boolean} [autoGainControl] as the browser tells; it does no harm
 * @property {number} levelDBFS of all that is heard
 * @property {number} bandDecibels 18.5–20 kHz over 8–12 kHz; NaN in silence
 * @property {number} lagSeconds by which the receiver is behind
 * @property {string[]} profiles that are listened for
 * @property {number} microphones that are heard together
 */

/**
 * @typedef {object} ListenerOptions
 * @property {Modem} [modem] one that is loaded already
 * @property {number} [microphones] of the device that are heard together, if it has so many; one by default, at most eight. More
 *     than one take `modem-array.wasm`
 * @property {AudioContext} [context] the page's own; without it, the listener makes one
 * @property {string[]} [profiles] the three of DSSS in the standard band by default
 * @property {string[]} [fallback] listened for too where the band does not come through; `fsk-audible` by default
 * @property {string} [deviceId] of a microphone; the browser's choice by default
 * @property {MediaTrackConstraints | true} [audio] in place of "no processing", to try what happens
 */

/**
 * @typedef {object} ListenerEvents
 * @property {import('./receiver.js').Heard & { contextSeconds: number }} heard a token, and where it begins on the context's clock
 * @property {Health} health once a second
 * @property {import('./problems.js').Problem} problem
 * @property {import('./problems.js').ProblemKind} solved
 * @property {import('./listener.js').ListenerState} state
 */

/**
 * The module that hears so many microphones; undefined: the usual one. Without SIMD there is none for several.
 *
 * @param {number} [microphones]
 */
export const moduleName = (microphones = 1) => microphones > 1 && hasVectors() ? 'modem-array.wasm' : undefined;

/**
 * What was asked for, and what is heard all the same where the band does not come through.
 *
 * @param {ListenerOptions} options
 * @param {boolean} isAudible whether the band does not come through
 * @param {Modem} modem
 * @param {number} rate of the context
 */
export function wantedProfiles(options, isAudible, modem, rate) {
    const asked = options.profiles ?? ['dsss', 'dsss-quick', 'dsss-far'];
    const fallback = isAudible ? options.fallback ?? ['fsk-audible'] : [];
    return [...new Set([...asked, ...fallback])].filter((name) => modem.profile(name).minSampleRateHz <= rate);
}

/**
 * Whether something takes the band: an honest path has 0 to −30 dB; browsers' processing, −70.
 *
 * @param {number} decibels of the band
 * @param {boolean} wasFiltered a second ago
 */
export const isFiltered = (decibels, wasFiltered) => decibels < (wasFiltered ? -42 : -50);

/**
 * A second's health.
 *
 * @param {AudioContext} context
 * @param {import('./microphone-input.js').MicrophoneInput} input
 * @param {number} heardUntil the frame up to which the receiver has heard; 0: it has not begun
 * @param {string[]} profiles
 * @returns {Health}
 */
export function healthOf(context, input, heardUntil, profiles) {
    const { track } = input.microphone;
    const { echoCancellation, noiseSuppression, autoGainControl } = track.getSettings();
    const lag = heardUntil > 0 ? context.currentTime - heardUntil / context.sampleRate : 0;
    return {
        sampleRate: context.sampleRate, deviceLabel: track.label, echoCancellation, noiseSuppression, autoGainControl,
        ...input.measure(), lagSeconds: Math.max(0, lag), profiles, microphones: input.channelCount,
    };
}
