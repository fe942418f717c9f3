// usage: node Tools/web-tests/icons.mjs
// Makes Sources/Web/page/icon-192.png and icon-512.png from icon.svg. Eight colours keep their curves smooth.

import { readFileSync, writeFileSync } from 'node:fs';
import { Browser } from './browser.mjs';
import { indexedPNG, pixelsOf } from './indexed-png.mjs';
import { page } from './places.mjs';

const browser = await Browser.start();
try {
    const tab = await browser.tab();
    const picture = `data:image/svg+xml;base64,${readFileSync(`${page}/icon.svg`).toString('base64')}`;
    for (const size of [192, 512]) {
        await tab.resize(size, size);
        // Without it, a small window shows a page of 980 pixels, and shrinks the picture with it.
        const viewport = '<meta name="viewport" content="width=device-width">';
        const image = `<img style="display:block" width=${size} height=${size} src="${picture}">`;
        await tab.open(`data:text/html,${viewport}<body style="margin:0">${image}`);
        await tab.until('document.images[0]?.complete');
        const pixels = await pixelsOf(tab, await tab.screenshot());
        writeFileSync(`${page}/icon-${size}.png`, indexedPNG(pixels, size, 8));
    }
} finally {
    await browser.close();
}
