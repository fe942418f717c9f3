// usage: node Tools/web-tests/screenshot.mjs
// Makes Fixtures/web/page.png, the README's picture of the page: it has found a box, whose frames it hears. Needs .build/web
// (Tools/web), the program nearby, and PulseAudio.

import { mkdirSync, writeFileSync } from 'node:fs';
import { Box } from './box.mjs';
import { Browser } from './browser.mjs';
import { indexedPNG, pixelsOf } from './indexed-png.mjs';
import { nullSink } from './null-sink.mjs';
import { root, site } from './places.mjs';
import { Server } from './support.mjs';

const [width, height] = [1120, 960];
const air = await nullSink();
const server = await Server.start(['--web', '--web-root', site, '--no-qr']);
const browser = await Browser.start({ microphone: false, env: air.env });
const box = await Box.start({ text: 'living room', server, env: air.env });
try {
    const tab = await browser.tab({ width, height, scripts: [`localStorage.setItem('nearby-permission', 'granted')`] });
    await tab.prefer({ 'prefers-color-scheme': 'light', 'prefers-reduced-motion': 'reduce' });
    await tab.open(server.address);
    await tab.click('#listen');
    // The page sends a token of its own now and then, and hears it: the box's comes more often, and fills the picture.
    await tab.until(`document.querySelector('.found') && [...document.querySelectorAll('.card')].some((card) => card.innerText.includes('10 times'))`);
    await tab.evaluate(`document.activeElement.blur(), scrollTo(0, 0)`);
    const png = await tab.screenshot();
    const pixels = await pixelsOf(await browser.tab(), png);
    mkdirSync(`${root}Fixtures/web`, { recursive: true });
    writeFileSync(`${root}Fixtures/web/page.png`, indexedPNG(pixels, width, 110));
} finally {
    await Promise.all([browser.close(), box.close(), server.close()]);
    await air.close();
}
