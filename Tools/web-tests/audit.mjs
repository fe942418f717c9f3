import { auditColours } from './audit-colours.mjs';
import { auditFocus } from './audit-focus.mjs';
import { auditStructure } from './audit-structure.mjs';

/**
 * What keeps people from using the page as it is now: colours, names, structure, sizes, and the way of the Tab key through it.
 *
 * @param {import('./browser.mjs').Tab} tab
 * @returns {Promise<string[]>} `rule: element: what is wrong`
 */
export async function audit(tab) {
    await settle(tab);
    return [...await tab.call(auditStructure), ...await tab.call(auditColours), ...await auditFocus(tab)];
}

/** Colours that are still changing would be measured half-way. */
const settle = (tab) => tab.evaluate(`Promise.all(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().endTime !== Infinity).map((one) => one.finished.catch(() => undefined)))
    .then(() => true)`);
