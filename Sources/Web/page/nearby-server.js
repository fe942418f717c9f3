/** @typedef {'undecided' | 'granted' | 'denied'} Permission whether tokens may be reported and sent */

/** Where the user's answer is kept, so that it is asked for once. */
const answerKey = 'nearby-permission';

/**
 * What `web-config.json` beside the page says. A Nearby server writes it; static files have none.
 *
 * @returns {Promise<{ key: string } | undefined>}
 */
export async function serverConfig() {
    try {
        const answer = await fetch('web-config.json');
        return answer.ok ? await answer.json() : undefined;
    } catch (error) {
        // Without a network, or with something else in its place: the page hears tokens, and says that it is on its own.
        console.info('No Nearby server can be asked:', error);
        return undefined;
    }
}

/** @returns {Permission} */
export function keptPermission() {
    const kept = localStorage.getItem(answerKey);
    return kept === 'granted' || kept === 'denied' ? kept : 'undecided';
}

/** @param {Permission} permission */
export function keepPermission(permission) { localStorage.setItem(answerKey, permission); }
