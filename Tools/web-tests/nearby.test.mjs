// Nearby by sound: the page in Chromium, a box, other pages and a real server, with a PulseAudio null sink as air. Left out where there
// is none. ROUNDS: how often each is tried, 1 by default; OUTAGE: for how many seconds something is away, 3 by default.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Box } from './box.mjs';
import { Browser } from './browser.mjs';
import { nullSink } from './null-sink.mjs';
import { site } from './places.mjs';
import { Server, until } from './support.mjs';

const rounds = Number(process.env.ROUNDS ?? 1);
const outageSeconds = Number(process.env.OUTAGE ?? 3);

/** Agrees for the user, and notes each message as it comes and goes: `found living room`. A card in place of another is none. */
const watch = `localStorage.setItem('nearby-permission', 'granted');
    window.told = [];
    addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
        const messages = (nodes) => [...nodes].filter((node) => node.classList.contains('found'))
            .map((node) => node.querySelector('.what').textContent);
        for (const { addedNodes, removedNodes } of changes) {
            const added = messages(addedNodes), removed = messages(removedNodes);
            if (added.length > 0 && removed.length > 0) continue;
            told.push(...added.map((text) => 'found ' + text), ...removed.map((text) => 'lost ' + text));
        }
    }).observe(document.getElementById('cards'), { childList: true }));`;
/** PulseAudio moves who listens to another source; so it is the page that is told what browsers tell when a microphone is gone. */
const plug = `const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    let tracks = [], isGone = false;
    navigator.mediaDevices.getUserMedia = async (asked) => {
        if (isGone) throw new DOMException('', 'NotFoundError');
        const stream = await open(asked);
        tracks = stream.getTracks();
        return stream;
    };
    window.unplug = () => {
        isGone = true;
        for (const track of tracks) {
            track.stop();
            track.dispatchEvent(new Event('ended'));
        }
    };
    window.plugIn = () => {
        isGone = false;
        navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
    };`;
const tells = (line) => `told.includes(${JSON.stringify(line)})`;

let server, air, whyNot;
before(async () => {
    try {
        air = await nullSink();
    } catch (error) {
        whyNot = error.message;
        return;
    }
    server = await Server.start(['--web', '--web-root', site, '--no-qr']);
});
after(() => Promise.all([server?.close(), air?.close()]));

/** A test of so many browsers, each with the page, listening. */
function inRoom(name, count, seconds, body) {
    test(name, { timeout: 1000 * (60 + seconds) }, async (t) => {
        if (whyNot) return t.skip(whyNot);
        const browsers = [];
        t.after(() => Promise.all(browsers.map((browser) => browser.close())));
        const pages = [];
        for (let index = 0; index < count; index++) {
            browsers.push(await Browser.start({ microphone: false, env: air.env }));
            pages.push(await browsers[index].tab({ scripts: [watch, plug] }));
            await pages[index].open(server.address);
        }
        await body(t, ...pages);
        // Browsers note each request that fails, and one that is refused; the page says what becomes of it.
        for (const page of pages) assert.deepEqual(page.errors.filter((line) => !line.startsWith('Failed to load resource')), []);
    });
}

async function listen(page) {
    await page.click('#listen');
    await page.until(`document.getElementById('listen-state').textContent.startsWith('Listening')`);
    await page.until(`!['Connecting …', 'Ready for messages'].includes(document.getElementById('server-state').textContent)`);
}

async function publish(page, text) {
    await page.type('#publish-text', text);
    await page.press('Enter');
    assert.equal(await page.evaluate(`document.getElementById('publish-wrong').innerText`), '');
}

/** @returns {Promise<string[]>} of a page's messages that are not those of others, in order */
const toldOf = async (page, text) => (await page.evaluate('told')).filter((line) => line.endsWith(` ${text}`));

/** What the page sends it hears as well; the token that it shows is the other's. */
async function assertOthersAlone(page) {
    assert.ok(await page.evaluate(`document.querySelectorAll('.card:not(.found):not(.old)').length`) <= 1);
}

async function startBox(t, text) {
    const box = await Box.start({ text, server, env: air.env });
    t.after(() => box.close());
    return box;
}

inRoom('a page finds a box, and the box has what the page publishes, once', 1, 60 * rounds, async (t, page) => {
    const box = await startBox(t, 'living room');
    for (let round = 1; round <= rounds; round++) {
        await page.open(server.address);
        await listen(page);
        const began = Date.now();
        await page.until(tells('found living room'));
        const found = Date.now();
        await publish(page, `louder ${round}`);
        await until(() => box.texts.includes(`louder ${round}`), 'the box has the message', 40);
        t.diagnostic(`round ${round}: found after ${(found - began) / 1000} s, arrived ${(Date.now() - found) / 1000} s later`);
        assert.deepEqual(await toldOf(page, 'living room'), ['found living room']);
        if (round === 1) await assertOthersAlone(page);
    }
    assert.deepEqual(box.texts, Array.from({ length: rounds }, (_, index) => `louder ${index + 1}`));
});

inRoom('two pages find and lose each other', 2, 90 * rounds, async (t, one, other) => {
    await Promise.all([one, other].map(listen));
    for (let round = 1; round <= rounds; round++) {
        const began = Date.now();
        await publish(one, `one ${round}`);
        await publish(other, `other ${round}`);
        await Promise.all([one.until(tells(`found other ${round}`), 'one', 60_000), other.until(tells(`found one ${round}`), 'other', 60_000)]);
        t.diagnostic(`round ${round}: found after ${(Date.now() - began) / 1000} s`);
        for (const page of [one, other]) {
            if (round === 1) await assertOthersAlone(page);
            await page.click('#published button');
        }
        await Promise.all([one.until(tells(`lost other ${round}`)), other.until(tells(`lost one ${round}`))]);
        assert.deepEqual(await toldOf(one, `other ${round}`), [`found other ${round}`, `lost other ${round}`]);
        assert.deepEqual(await toldOf(other, `one ${round}`), [`found one ${round}`, `lost one ${round}`]);
    }
});

inRoom('a permission that is withdrawn and given again publishes a line once', 2, 120, async (t, one, other) => {
    await Promise.all([one, other].map(listen));
    await publish(one, 'one line');
    await other.until(tells('found one line'), 'one line', 60_000);
    await one.click('#permission');
    await other.until(tells('lost one line'), 'it is withdrawn', 60_000);
    await one.click('#permission');
    const again = `told.filter((line) => line === 'found one line').length >= 2`;
    await other.until(again, 'it is there again', 60_000);
    await publish(one, 'another line');
    await other.until(tells('found another line'), 'what is new', 60_000);
    assert.deepEqual(await toldOf(other, 'one line'), ['found one line', 'lost one line', 'found one line']);
});

/** Something goes away for a while: afterwards the page knows what it knew, was told nothing twice, and finds what is new. */
function survives(name, goAway, comeBack) {
    inRoom(name, 1, 120 + 2 * outageSeconds, async (t, page) => {
        const box = await startBox(t, 'hall');
        await listen(page);
        await page.until(tells('found hall'));
        const away = await goAway(page);
        await new Promise((resolve) => setTimeout(resolve, 1000 * outageSeconds));
        await comeBack(page, away);
        const news = await startBox(t, 'stairs');
        await page.until(tells('found stairs'), 'what is new', 90_000);
        await page.until(`[...document.querySelectorAll('.found')].some((card) => card.innerText.includes('hall'))`, 'what was there', 60_000);
        const told = await toldOf(page, 'hall');
        t.diagnostic(told.join(', '));
        // Who is away for long has lost it, and then finds it anew; nothing is found twice.
        told.forEach((line, index) => assert.equal(line, index % 2 ? 'lost hall' : 'found hall', told.join(', ')));
        await Promise.all([box, news].map((one) => one.close()));
    });
}

survives('a server that is away for a while', () => server.kill(), () => server.run());

survives('a tab that is hidden for a while', async (page) => {
    const front = await page.another();
    await page.until(`document.visibilityState === 'hidden'`);
    return front;
}, async (page, front) => {
    await front.close();
    await page.toFront();
    await page.until(`document.visibilityState === 'visible'`);
});

survives('a microphone that is unplugged for a while', async (page) => {
    await page.evaluate('unplug()');
    await page.until(`document.querySelector('.trouble[data-kind=device-lost]')`);
}, async (page) => {
    await page.evaluate('plugIn()');
    await page.until(`!document.querySelector('.trouble[data-kind=device-lost]')`);
});
