// What a browser fetches, compressed as servers send it. Needs .build/web (Tools/web).

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { site } from './places.mjs';

const names = readdirSync(site);
/** Bytes on the wire: ready-made brotli where there is one. */
const sizeOf = (name) => statSync(`${site}/${names.includes(`${name}.br`) ? `${name}.br` : name}`).size;
const total = (chosen) => chosen.reduce((sum, name) => sum + sizeOf(name), 0);
const files = names.filter((name) => /\.(html|css|js|svg|png|webmanifest|wasm)$/.test(name) && !name.includes('offline'));

test('what the page fetches: itself, with the modem, with all modules', (t) => {
    const isModule = (name) => name.endsWith('.wasm');
    const own = total(files.filter((name) => !isModule(name)));
    const others = ['modem-scalar.wasm', 'modem-array.wasm'];
    const modules = total(files.filter((name) => isModule(name) && !others.includes(name)));
    t.diagnostic(`the page with its library ${own} bytes, with all modules ${own + modules}`);
    assert.ok(own <= 50_000, `${own} bytes`);
    assert.ok(own + modules <= 400_000, `${own + modules} bytes`);
});
