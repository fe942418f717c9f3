// usage: node Tools/web-tests/screenshot.mjs
// Makes Fixtures/web/page.png, the README's picture of the page: a box that is heard. Needs .build/web
// (Tools/web) and a nearby-modem.

import { mkdirSync, writeFileSync } from 'node:fs';
import { Browser } from './browser.mjs';
import { indexedPNG, pixelsOf } from './indexed-png.mjs';
import { root, nearSound, site } from './places.mjs';
import { serveFolder } from './static-server.mjs';

const [width, height] = [1120, 960];
const server = await serveFolder(site);
const browser = await Browser.start({ sound: nearSound() });
try {
    const tab = await browser.tab({ width, height });
    await tab.prefer({ 'prefers-color-scheme': 'light', 'prefers-reduced-motion': 'reduce' });
    await tab.open(server.address);
    await tab.click('#listen');
    await tab.until(`document.querySelector('.card')?.innerText.includes('3 times')`);
    await tab.evaluate(`document.activeElement.blur(), scrollTo(0, 0)`);
    const pixels = await pixelsOf(await browser.tab(), await tab.screenshot());
    mkdirSync(`${root}Fixtures/web`, { recursive: true });
    writeFileSync(`${root}Fixtures/web/page.png`, indexedPNG(pixels, width, 110));
} finally {
    await browser.close();
    await server.close();
}
