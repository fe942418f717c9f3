import { Browser } from './browser.mjs';

/** Notes when cards come, and what kept the main thread for more than 50 ms. */
const watch = `window.longTasks = [];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ startTime, duration }) =>
        Math.round(startTime) + ' ms: ' + duration + ' ms'))).observe({ entryTypes: ['longtask'] });
    window.cards = [];
    addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
        for (const card of document.querySelectorAll('.card')) {
            if (!cards.includes(card)) cards.push(card);
        }
    }).observe(document.getElementById('cards'), { childList: true }));`;

/**
 * Runs with a browser and a tab on the page, and closes them whatever happens.
 *
 * @param {object} options of {@link Browser.start} and {@link Browser.tab}, and the `address` of the page
 */
export async function withPage({ address, ...options }, body) {
    const browser = await Browser.start(options);
    try {
        const tab = await browser.tab({ ...options, scripts: [watch, ...(options.scripts ?? [])] });
        await tab.open(address);
        await body(tab, browser);
    } finally {
        await browser.close();
    }
}

export const text = async (tab, selector) => (await tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`)).replace(/\n+/g, '\n');
export const isListening = `document.getElementById('listen-state').textContent.startsWith('Listening')`;
