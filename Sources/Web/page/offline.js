import { byID } from './dom.js';
import { hasVectors } from './wasm.js';

/** Keeps the page usable without a network, and tells of a newer one. */
export async function beginOffline() {
    // Outside secure contexts there is no such member.
    if (!navigator.serviceWorker) return;
    const hadOne = navigator.serviceWorker.controller !== null;
    const notice = byID('update', HTMLElement);
    byID('update-button', HTMLButtonElement).addEventListener('click', () => location.reload());
    navigator.serviceWorker.addEventListener('controllerchange', () => { notice.hidden = !hadOne; });
    try {
        await navigator.serviceWorker.register(`service-worker.js?without=${hasVectors() ? 'modem-scalar.wasm' : 'modem.wasm'}`);
    } catch (error) {
        // The page works all the same, only not offline: private windows forbid it.
        console.info('This page is not kept for use offline:', error);
    }
}
