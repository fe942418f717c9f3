// usage: node Tools/web-tests/icons.mjs
// Makes Sources/Web/page/icon-192.png and icon-512.png from icon.svg.

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
        await tab.open(`data:text/html,<body style="margin:0"><img width=${size} height=${size} src="${picture}">`);
        await tab.until('document.images[0]?.complete');
        const pixels = await pixelsOf(tab, await tab.screenshot());
        writeFileSync(`${page}/icon-${size}.png`, indexedPNG(pixels, size));
    }
} finally {
    await browser.close();
}
