// The page's loudspeaker to its own microphone, through a PulseAudio null sink as air. Left out where there is none.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from './browser.mjs';
import { Firefox } from './firefox.mjs';
import { nullSink } from './null-sink.mjs';
import { site } from './places.mjs';
import { serveFolder } from './static-server.mjs';

let server, air, whyNot;
before(async () => {
    server = await serveFolder(site);
    try {
        air = await nullSink();
    } catch (error) {
        whyNot = error.message;
    }
});
after(() => Promise.all([server.close(), air?.close()]));

const isListening = `document.getElementById('listen-state').textContent.startsWith('Listening')`;
const card = `document.querySelector('.card')?.innerText`;

/** What both browsers have to do: the page sends, and hears itself. */
async function hearsItself(tab) {
    await tab.until(`document.getElementById('send-profile').value === 'dsss'`);
    await tab.click('#listen');
    await tab.until(isListening);
    await tab.click('#send-button');
    assert.match(await tab.until(card), /^room 4\s+726f 6f6d 2034\s+dsss\s+SNR/);
    assert.match(await tab.evaluate(`document.getElementById('health').innerText`), /Processing\s+off/);
}

/** Runs `work` in a tab of Chromium that hears itself. */
async function inChromium(work) {
    const browser = await Browser.start({ microphone: false, env: air.env });
    try {
        const tab = await browser.tab();
        await tab.open(server.address);
        await hearsItself(tab);
        await work(tab, browser);
    } finally {
        await browser.close();
    }
}

test('Chromium hears what it sends, and probes its loudspeaker', { timeout: 120_000 }, async (t) => {
    if (whyNot) return t.skip(whyNot);
    await inChromium(async (tab) => {
        await tab.click('#send-button');
        await tab.until(`document.getElementById('send-button').textContent === 'Send'`);
        assert.equal(await tab.probe(), 'Done.');
        const report = await tab.evaluate(`document.getElementById('probe-report').innerText`);
        assert.match(report, /Good: every waveform/);
        assert.match(report, /dsss\s+works/);
        assert.deepEqual(tab.errors, []);
    });
});

test('Chromium goes on after the sound server has restarted', { timeout: 180_000 }, async (t) => {
    if (whyNot) return t.skip(whyNot);
    await inChromium(async (tab, browser) => {
        const trouble = `document.querySelector('.trouble[data-kind=device-lost]')`;
        await air.restart(1000);
        assert.match(await tab.until(`${trouble}?.innerText`), /The microphone is gone/);
        // Chromium itself looks for a sound server once in each of its processes for sound.
        browser.endAudioService();
        await tab.until(`${isListening} && !${trouble}`);
        // The page still sends, every few seconds, and its listener has another context by now.
        const times = `document.querySelector('.card').innerText.match(/\\d+ times/)?.[0]`, before = await tab.evaluate(times);
        await tab.until(`${times} !== ${JSON.stringify(before)}`);
    });
});

test('Firefox hears what it sends', { timeout: 180_000 }, async (t) => {
    if (whyNot) return t.skip(whyNot);
    let firefox;
    try {
        firefox = await Firefox.start(air.env);
    } catch (error) {
        return t.skip(error.message);
    }
    try {
        await firefox.open(server.address);
        await hearsItself(firefox);
    } finally {
        await firefox.close();
    }
});
