// What the page says when it cannot hear, and what it does then: node --test Tools/web-tests. Needs what page.test.mjs needs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bothSound, judges, milliseconds, roomSound, site } from './places.mjs';
import { serveFolder } from './static-server.mjs';
import { isListening, text, withPage } from './with-page.mjs';

/** Of the audible waveform, that are to be heard one after the other: ROUNDS. */
const audibleFrames = Number(process.env.ROUNDS ?? 1);
/** The page forces processing on, as browsers do that will not switch it off. */
const processed = `const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = () => open({ audio: true });`;
const trouble = (kind) => `document.querySelector('.trouble[data-kind=${kind}]')?.innerText`;

let server;
before(async () => { server = await serveFolder(site); });
after(() => server.close());

test('where processing cannot be switched off: the reason, no token of that band, and the audible waveform', async (t) => {
    const turn = milliseconds(bothSound());
    await withPage({ address: server.address, sound: bothSound(), scripts: [processed] }, async (tab) => {
        await tab.click('#listen');
        const told = await tab.until(trouble('processing'));
        assert.match(told, /echo cancellation is on/);
        assert.match(told, /listens for the audible waveform too/);
        await tab.until('cards.length > 0');
        assert.match(await text(tab, '.card'), /^audible 4\n.*\nfsk-audible/);
        assert.match(await text(tab, '#health'), /Processing\s+on: echo, noise/);
        // The button makes it the only one, for sending too.
        await tab.click('.trouble[data-kind=processing] button');
        await tab.until(`/Waveforms\\s+fsk-audible$/m.test(document.getElementById('health').innerText)`);
        assert.equal(await tab.evaluate(`document.getElementById('send-profile').value`), 'fsk-audible');
        // The receiver began anew. From its first frame on it hears each, one a turn of the file.
        const heard = (count) => tab.until(`document.querySelector('.card').innerText.includes('${count} times')`, `${count} frames`, 60_000 + turn * count);
        await heard(2);
        const began = Date.now();
        await heard(2 + audibleFrames);
        const turns = (Date.now() - began) / turn;
        t.diagnostic(`${audibleFrames} frames in ${turns.toFixed(1)} turns`);
        if (judges) assert.ok(turns < audibleFrames + 0.7, `${audibleFrames} frames took ${turns} turns`);
        assert.equal(await tab.evaluate('cards.length'), 1, 'the near-ultrasonic token does not come through');
    });
});

test('what is filtered is measured and told', async () => {
    const lowPass = `const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.mediaDevices.getUserMedia = async (asked) => {
            const context = new AudioContext();
            const filters = [1, 2, 3, 4, 5].map(() => new BiquadFilterNode(context, { type: 'lowpass', frequency: 13000, Q: 0.7 }));
            const out = context.createMediaStreamDestination();
            [context.createMediaStreamSource(await open(asked)), ...filters, out].reduce((one, next) => one.connect(next));
            return out.stream;
        };`;
    await withPage({ address: server.address, sound: roomSound(), scripts: [lowPass] }, async (tab) => {
        await tab.click('#listen');
        assert.match(await tab.until(trouble('filtered')), /filters sound above 16 kHz/);
        assert.match(await text(tab, '#health'), /filtered/);
    });
});

test('a microphone that is denied', async () => {
    await withPage({ address: server.address, permission: false }, async (tab, browser) => {
        await tab.click('#listen');
        assert.match(await tab.until(trouble('denied')), /may not be used by this page.*Allow it/s);
        assert.equal(await text(tab, '#listen-state'), 'Not listening.');
        await browser.send('Browser.setPermission', { permission: { name: 'microphone' }, setting: 'granted', origin: server.address });
        await tab.click('.trouble[data-kind=denied] button');
        await tab.until(isListening);
        assert.equal(await tab.evaluate(`document.querySelectorAll('.trouble').length`), 0);
    });
});

test('a machine without a microphone', async () => {
    await withPage({ address: server.address, microphone: false, env: { PULSE_SERVER: 'unix:/nonexistent' } }, async (tab) => {
        await tab.click('#listen');
        assert.match(await tab.until(trouble('no-microphone')), /No microphone was found/);
    });
});

test('an address that is not secure', async () => {
    const options = { flags: ['--host-resolver-rules=MAP nearby.test 127.0.0.1'], address: `http://nearby.test:${server.port}/` };
    await withPage(options, async (tab) => {
        assert.match(await tab.until(trouble('insecure')), /https/);
        await tab.click('#listen');
        await tab.until(`document.getElementById('listen-state').textContent === 'Not listening.'`);
        assert.equal(await tab.evaluate(`document.querySelectorAll('.trouble').length`), 1);
    });
});
