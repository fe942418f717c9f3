/**
 * Options of a request that carries a secret: not to be sent elsewhere, nor with anything else of the page's.
 *
 * @param {string} bearer
 * @param {Record<string, string>} [headers] more of them
 * @returns {RequestInit}
 */
export function request(bearer, headers = {}) {
    return {
        redirect: 'manual', cache: 'no-store', credentials: 'omit', referrerPolicy: 'no-referrer',
        headers: { Authorization: `Bearer ${bearer}`, ...headers },
    };
}

/**
 * Milliseconds. 5 s where the server names no number of seconds, never more than an hour.
 *
 * @param {Response} response
 */
export function retryAfter(response) {
    const text = response.headers.get('Retry-After') ?? '';
    return 1000 * (/^\d+$/.test(text) ? Math.min(Number(text), 3600) : 5);
}
