// Whatever is written to the module's memory, it answers: nothing traps.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { beginning, eventRecord } from '../../Sources/Web/library/event-fields.js';
import { bytes } from '../../Sources/Web/library/hex.js';
import { Random } from './random.mjs';
import { engineModule } from './support.mjs';

const keyFile = `project shop\nkey ${'B'.repeat(42)}A\n`;

function call(exports, name, record, count = record.length) {
    const place = exports.nbe_input(record.length);
    new Uint8Array(exports.memory.buffer, place, record.length).set(record);
    const status = exports[name](count);
    const size = exports.nbe_output_count();
    assert.ok(status === 0 || status === 1);
    assert.ok(exports.nbe_output() + size <= exports.memory.buffer.byteLength);
    if (status === 1) assert.ok(size > 10 && size < 500, 'a line');
    return status;
}

async function validRecords() {
    const folder = new URL('../../Fixtures/web/traces/', import.meta.url);
    const records = [];
    for (const name of await readdir(folder)) {
        for (const { now, actions, nextDeadline, ...event } of JSON.parse(await readFile(new URL(name, folder), 'utf8')).steps) {
            const told = JSON.parse(JSON.stringify(event), (key, value) =>
                (['frame', 'content', 'audioBytes'].includes(key) && typeof value === 'string'
                    ? (value ? bytes(value) : new Uint8Array()) : value));
            records.push(eventRecord(told, now, 1_800_000_000_000_000 + now).slice());
        }
    }
    return records;
}

for (const module of ['nearby.wasm', 'nearby-offline.wasm']) {
    test(`${module}: bytes by chance and broken records are refused or taken, and never trap`, async () => {
        const random = new Random(7);
        const draw = (count) => Math.floor(count * random.uniform());
        const { instance: { exports } } = await WebAssembly.instantiate(await engineModule(module), {});
        assert.equal(call(exports, 'nbe_take', new Uint8Array(20)), 1, 'not begun');
        assert.equal(exports.nbe_input(0xFFFF_FFFF), 0);
        const start = beginning('granted', new Uint8Array(32), module === 'nearby.wasm' ? undefined : keyFile).slice();
        for (let n = 0; n < 2000; n++) {
            const record = n % 2 ? Uint8Array.from({ length: draw(80) }, () => draw(256)) : start.slice();
            if (n % 2 === 0) record[draw(record.length)] = draw(256);
            call(exports, 'nbe_begin', record);
        }
        const valid = await validRecords();
        for (let round = 0; round < 60; round++) {
            assert.equal(call(exports, 'nbe_begin', start), 0);
            for (let n = 0; n < 300; n++) {
                let record = valid[draw(valid.length)].slice();
                if (draw(3) === 0) record = Uint8Array.from({ length: draw(120) }, () => draw(256));
                else for (let change = draw(4); change > 0; change--) record[draw(record.length)] = [0, 1, 255, draw(256)][draw(4)];
                if (draw(6) === 0) record = record.slice(0, draw(record.length));
                // A count that is a lie.
                call(exports, 'nbe_take', record, draw(20) === 0 ? draw(2 ** 32) : record.length);
            }
        }
    });
}
