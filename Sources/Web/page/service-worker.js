// Answers from a kept copy of the page, so that it works without a network. `page-files.js`, which Tools/web writes, names every file
// with its checksum; a browser looks for another one at each visit, and then this begins anew with what has changed.

importScripts('page-files.js');

/** @typedef {Event & { waitUntil(done: Promise<unknown>): void, respondWith(answer: Promise<Response>): void, request: Request }} Asked */
/**
 * @typedef {{ registration: { scope: string }, clients: { claim(): Promise<void> }, skipWaiting(): Promise<void>,
 *     pageFiles: Record<string, string>, pageVersion: string }} Scope
 */

const scope = /** @type {Scope} */ (/** @type {unknown} */ (self));
/** All files, but for the module that this browser never loads. */
const files = { ...scope.pageFiles };
delete files[new URLSearchParams(location.search).get('without') ?? ''];
const prefix = 'nearby-page-', cacheName = prefix + scope.pageVersion;
/** It says whether there is a server, and which: asked for anew, and kept for use without a network. */
const configName = 'web-config.json';

/** @param {string} name */
const address = (name) => new URL(name, scope.registration.scope).href;

/** Takes what is the same from older copies, the rest from the server, past the browser's own cache. */
async function install() {
    const cache = await caches.open(cacheName);
    const older = await Promise.all((await caches.keys())
        .filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.open(name)));
    await Promise.all(Object.entries(files).map(async ([name, sum]) => {
        const key = `${address(name)}?${sum}`;
        for (const other of older) {
            const known = await other.match(key);
            if (known) return cache.put(key, known);
        }
        const answer = await fetch(address(name), { cache: 'no-cache' });
        if (!answer.ok) throw new Error(`${name}: expected the page's file, got ${answer.status}`);
        await cache.put(key, answer);
    }));
    await scope.skipWaiting();
}

async function activate() {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)));
    await scope.clients.claim();
}

/** @param {Request} request */
async function config(request) {
    const cache = await caches.open(cacheName);
    try {
        const answer = await fetch(request);
        if (answer.ok) await cache.put(request, answer.clone());
        else if (answer.status === 404) await cache.delete(request);
        return answer;
    } catch (error) {
        const known = await cache.match(request);
        if (known) return known;
        throw error;
    }
}

/**
 * @param {string} name
 * @param {Request} request
 */
async function kept(name, request) {
    const cache = await caches.open(cacheName);
    return await cache.match(`${address(name)}?${files[name]}`) ?? fetch(request);
}

self.addEventListener('install', (event) => /** @type {Asked} */ (event).waitUntil(install()));
self.addEventListener('activate', (event) => /** @type {Asked} */ (event).waitUntil(activate()));
self.addEventListener('fetch', (event) => {
    const asked = /** @type {Asked} */ (event);
    const url = new URL(asked.request.url);
    url.search = url.hash = '';
    if (asked.request.method !== 'GET' || !url.href.startsWith(scope.registration.scope)) return;
    const name = url.href.slice(scope.registration.scope.length) || 'index.html';
    if (name === configName) asked.respondWith(config(asked.request));
    else if (name in files) asked.respondWith(kept(name, asked.request));
});
