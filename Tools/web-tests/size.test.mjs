// What a browser fetches, compressed as servers send it. Needs .build/web (Tools/web).

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { site } from './places.mjs';

const names = readdirSync(site);
/** Bytes on the wire: ready-made brotli where there is one. */
const sizeOf = (name) => statSync(`${site}/${names.includes(`${name}.br`) ? `${name}.br` : name}`).size;
const total = (chosen) => chosen.reduce((sum, name) => sum + sizeOf(name), 0);
const files = names.filter((name) => /\.(html|css|js|svg|png|webmanifest|wasm)$/.test(name) && !name.includes('offline'));

/** These scripts and all that they import. */
function withImports(scripts, leaveOut = []) {
    const found = new Set();
    const queue = [...scripts];
    for (let name; (name = queue.pop());) {
        if (found.has(name) || leaveOut.includes(name)) continue;
        found.add(name);
        const text = readFileSync(`${site}/${name}`, 'utf8');
        for (const [, imported] of text.matchAll(/(?:from|import\(|new URL\()\s*'(?:\.\/)?([\w-]+\.js)'/g)) queue.push(imported);
    }
    return [...found];
}

test('what the page fetches: by itself, with a server, with all modules', (t) => {
    const isScript = (name) => name.endsWith('.js'), isModule = (name) => name.endsWith('.wasm');
    const rest = files.filter((name) => !isScript(name) && !isModule(name));
    const entries = ['page.js', 'service-worker.js', 'page-files.js'];
    const own = total([...rest, ...withImports(entries, ['client.js'])]);
    const joined = total([...rest, ...withImports(entries)]);
    const modules = total(files.filter((name) => isModule(name) && name !== 'modem-scalar.wasm'));
    t.diagnostic(`the page with its library ${own} bytes, with a server ${joined}, with modules ${joined + modules}`);
    assert.ok(own <= 45_000, `${own} bytes`);
    assert.ok(joined <= 60_000, `${joined} bytes`);
    const modem = total(['modem.wasm']);
    assert.ok(own + modem <= 400_000, `${own + modem} bytes`);
});
