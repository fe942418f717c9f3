/**
 * One way of carrying tokens, as `MediumDriver` in Swift. The engine speaks only to this.
 *
 * @typedef {object} Medium
 * @property {(tell: (event: import('./engine-types.js').EngineEvent) => void) => void} begin tells what happens from now on, the condition first
 * @property {(assignment: import('./engine-types.js').Assignment) => void} carryOut does this, and nothing else, from now on
 * @property {() => Promise<void>} close lets all go; resolves when it is silent
 */

/**
 * @typedef {object} AudioMediumOptions
 * @property {import('./listener.js').Listener} [listener] the page's own, which goes on when the medium ends; without it, the medium opens a microphone
 * @property {AudioContext} [context] the page's own; without it the listener's, or one that the medium makes
 * @property {string} [deviceId] of a microphone
 * @property {number} [microphones] of the device that are heard together, as a {@link import('./listener.js').Listener}'s
 * @property {string} [profile] that tokens go in; "dsss" by default
 * @property {string} [sealedProfile] that sealed frames go in; as tokens by default
 * @property {number} [levelDBFS] peak of what is sent; −6 by default
 */

export {};
