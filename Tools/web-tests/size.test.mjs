// What a browser fetches, compressed as servers send it. Needs .build/web (Tools/web).

import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { site } from './places.mjs';

const names = readdirSync(site);
/** Bytes on the wire: ready-made brotli where there is one. */
const sizeOf = (name) => statSync(`${site}/${names.includes(`${name}.br`) ? `${name}.br` : name}`).size;
const total = (chosen) => chosen.reduce((sum, name) => sum + sizeOf(name), 0);
const files = names.filter((name) => /\.(html|css|js|svg|png|webmanifest|wasm)$/.test(name));

test('the page and its library are at most 45 kB, with a module 400 kB', (t) => {
    const own = total(files.filter((name) => !name.endsWith('.wasm')));
    const all = own + Math.max(...files.filter((name) => /^modem.*\.wasm$/.test(name)).map(sizeOf));
    t.diagnostic(`page and library ${own} bytes, with the module ${all}`);
    assert.ok(own <= 45_000, `${own} bytes`);
    assert.ok(all <= 400_000, `${all} bytes`);
});
