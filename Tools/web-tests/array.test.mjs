// A microphone of two channels in a real browser, heard together: node --test Tools/web-tests. Needs what page.test.mjs needs, and
// modem-array.wasm, which Tools/web builds without --simd-only.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { nearSound, site } from './places.mjs';
import { serveFolder } from './static-server.mjs';
import { isListening, text, withPage } from './with-page.mjs';

/** The box is heard by the second microphone; the first is dead. */
const twoMicrophones = `const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (asked) => {
        window.asked = asked.audio;
        const context = new AudioContext();
        const both = new ChannelMergerNode(context, { numberOfInputs: 2 });
        const out = new MediaStreamAudioDestinationNode(context, { channelCount: 2, channelCountMode: 'explicit' });
        context.createMediaStreamSource(await open(asked)).connect(both, 0, 1);
        both.connect(out);
        return out.stream;
    };`;

const isBuilt = existsSync(`${site}/modem-array.wasm`);
let server;
before(async () => { server = await serveFolder(site); });
after(() => server.close());

test('one microphone is heard unless all are asked for; then all together', { skip: !isBuilt && 'modem-array.wasm is not there' }, async () => {
    await withPage({ address: server.address, sound: nearSound(), scripts: [twoMicrophones] }, async (tab) => {
        const fetched = `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('modem-array.wasm')).length`;
        await tab.click('#listen');
        await tab.until('cards.length > 0');
        assert.equal(await tab.evaluate('asked.channelCount'), 1);
        assert.doesNotMatch(await text(tab, '#health'), /together/);
        assert.equal(await tab.evaluate(fetched), 0, 'who does not ask for it does not load it');
        await tab.click('#array');
        await tab.until(`/2 heard together/.test(document.getElementById('health').innerText)`);
        assert.equal(await tab.evaluate('asked.channelCount'), 8);
        assert.equal(await tab.evaluate(fetched), 1);
        const before = await text(tab, '.card');
        await tab.until(`document.querySelector('.card').innerText !== ${JSON.stringify(before)}`, 'the box is heard again');
        await tab.click('#array');
        await tab.until(`${isListening} && asked.channelCount === 1`);
        await tab.until(`!/together/.test(document.getElementById('health').innerText)`);
        assert.deepEqual(tab.errors, []);
    });
});
