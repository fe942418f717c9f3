// Traces of the Swift engine, replayed in the browser's module: every action and every deadline is the same.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Engine } from '../../Sources/Web/library/engine.js';
import { bytes, hex } from '../../Sources/Web/library/hex.js';
import { engineModule } from './support.mjs';

const folder = new URL('../../Fixtures/web/traces/', import.meta.url);
const firstWall = 1_800_000_000_000_000;
const binary = new Set(['frame', 'content', 'audioBytes', 'bytes']);

/** Hex digits to bytes, where the library has bytes; empty ones have no digits. */
const revived = (name, value) => (binary.has(name) && typeof value === 'string' ? (value === '' ? new Uint8Array() : bytes(value)) : value);

/** As the trace has it: no bytes, nothing that is undefined. */
const plain = (value) => JSON.parse(JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? hex(part) : part)));

const sortedReport = ({ ...report }) => ({ ...report, subscribed: report.subscribed.map(({ rules, ...one }) => ({ ...one, rules: rules.map((rule) => JSON.stringify(Object.entries(rule).sort())).sort() })) });
const comparable = (action) => (action.kind === 'report' ? { ...action, report: sortedReport(action.report) } : action);

for (const name of (await readdir(folder)).sort()) {
    test(`${name} goes in WebAssembly as it went natively`, async () => {
        const text = await readFile(new URL(name, folder), 'utf8');
        const { seed, permission, offlineKey, steps } = JSON.parse(text);
        const source = await engineModule(offlineKey === undefined ? 'nearby.wasm' : 'nearby-offline.wasm');
        const engine = await Engine.load({ permission, offlineKey, seed: new Uint8Array(32).fill(seed), source });
        for (const [n, { now, actions, nextDeadline, ...event }] of steps.entries()) {
            const told = JSON.parse(JSON.stringify(event), revived);
            const done = engine.take(told, now, firstWall + now);
            assert.deepEqual(plain(done.actions).map(comparable), actions.map(comparable), `${name}, step ${n}, ${event.kind}`);
            assert.equal(done.nextDeadline, nextDeadline, `${name}, step ${n}, ${event.kind}: deadline`);
        }
        assert.ok(steps.length > 10);
    });
}
