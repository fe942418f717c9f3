import { NearbyClient } from './client.js';

/** @typedef {import('./client.js').Found} Found */

/** Where the user's answer is kept, so that it is asked for once. */
const answerKey = 'nearby-permission';

/**
 * What `web-config.json` beside the page says; a server writes it, static files have none.
 *
 * @returns {Promise<{ key: string } | undefined>}
 */
export async function serverConfig() {
    try {
        const answer = await fetch('web-config.json');
        if (!answer.ok || !answer.headers.get('content-type')?.includes('json')) return undefined;
        return await answer.json();
    } catch (error) {
        // Without a network, or with a file that is none: the page then hears tokens only, and says so.
        console.info('There is no Nearby server here:', error);
        return undefined;
    }
}

/** @returns {import('./client.js').Permission} */
export function keptPermission() {
    const kept = localStorage.getItem(answerKey);
    return kept === 'granted' || kept === 'denied' ? kept : 'undecided';
}

/** @param {import('./client.js').Permission} permission */
export function keepPermission(permission) { localStorage.setItem(answerKey, permission); }

export { NearbyClient };
