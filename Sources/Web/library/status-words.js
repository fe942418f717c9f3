/** @typedef {import('./engine-types.js').EngineStatus} EngineStatus */

/**
 * @typedef {object} StatusInWords
 * @property {EngineStatus['permission']} permission
 * @property {boolean} isInBackground
 * @property {boolean} isBroadcasting it is to send, and does unless `words` say what stands in the way
 * @property {boolean} isScanning it is to listen, and does unless `words` say what stands in the way
 * @property {number} neighbours devices heard of late
 * @property {string} [server] what the server, or what stands in its place, last said, if that was no
 * @property {string[]} words what is not as it should be, a sentence each for people; none: all is well
 */

/** @type {Record<import('./engine-types.js').Obstacle, string>} */
const obstacles = {
    missing: 'is not there', forbidden: 'may not be used', poweredOff: 'is switched off', failing: 'does not work', heldBack: 'is held back',
};

/**
 * @param {EngineStatus} status
 * @returns {StatusInWords}
 */
export function statusInWords(status) {
    const audio = status.media.find(({ medium }) => medium === 'audio');
    const words = [];
    if (status.permission === 'undecided') words.push('The user has not yet agreed to be found: nothing is sent or heard.');
    if (status.permission === 'denied') words.push('The user does not agree to be found: nothing is sent or heard.');
    if (status.isInBackground) words.push('The page is out of view: nothing is sent or heard until it comes back.');
    for (const [role, name] of /** @type {const} */ ([['scan', 'microphone'], ['broadcast', 'loudspeaker']])) {
        const obstacle = audio?.condition[role];
        if (obstacle) words.push(`The ${name} ${obstacles[obstacle]}: ${audio.condition[`${role}Reason`] ?? 'nothing more is known'}`);
    }
    if (audio?.isUnheard) words.push('The page does not hear itself: turn the sound up, and on phones check the mute switch.');
    if (status.registryError) words.push(status.registryError.line);
    return {
        permission: status.permission, isInBackground: status.isInBackground,
        isBroadcasting: audio?.isBroadcasting ?? false, isScanning: audio?.isScanning ?? false,
        neighbours: audio?.neighbours ?? 0, server: status.registryError?.line, words,
    };
}
