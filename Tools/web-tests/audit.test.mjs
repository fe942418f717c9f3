// What keeps people from using the page, in its states, schemes and widths; and that the audit sees what is wrong.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { audit } from './audit.mjs';
import { Browser } from './browser.mjs';
import { bothSound, site } from './places.mjs';
import { serveFolder } from './static-server.mjs';

let browser, server;
before(async () => {
    [browser, server] = await Promise.all([Browser.start({ sound: bothSound() }), serveFolder(site)]);
});
after(() => Promise.all([browser.close(), server.close()]));

const processed = `const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = () => open({ audio: true });`;

/** How the page comes into each of its states. */
const states = {
    'as it opens': async (tab) => { await tab.until(`document.getElementById('send-profile').value === 'dsss'`); },
    'with a card, while it listens and sends': async (tab) => {
        await tab.click('#listen');
        await tab.click('#send-button');
        await tab.until(`document.querySelector('.card') && document.querySelector('#health dd')
            && document.getElementById('send-state').textContent.startsWith('Sent')`);
    },
    'with a trouble, and a field that is wrong': async (tab) => {
        await tab.click('#listen');
        await tab.until(`document.querySelector('.trouble')`);
        await tab.type('#send-token', '');
        await tab.press('Enter');
        await tab.until(`!document.getElementById('send-wrong').hidden`);
    },
    'with old cards and a newer page': async (tab) => {
        await tab.click('#listen');
        await tab.until(`document.querySelector('.card')`);
        await tab.click('#listen');
        await tab.evaluate(`document.querySelector('.card').classList.add('old'), document.getElementById('update').hidden = false`);
    },
};

for (const [state, reach] of Object.entries(states)) {
    test(`no finding ${state}`, async () => {
        const tab = await browser.tab({ width: 360, height: 740, scripts: state.includes('trouble') ? [processed] : [] });
        await tab.open(server.address);
        await reach(tab);
        for (const [width, height] of [[360, 740], [1280, 900]]) {
            await tab.resize(width, height);
            for (const scheme of ['light', 'dark']) {
                await tab.prefer({ 'prefers-color-scheme': scheme });
                const findings = await audit(tab);
                assert.deepEqual(findings, [], `${state}, ${width} px, ${scheme}`);
            }
        }
        assert.deepEqual(tab.errors, []);
        await tab.close();
    });
}

test('a page full of faults has a finding for each', async (t) => {
    const faulty = await serveFolder(fileURLToPath(new URL('faulty', import.meta.url)));
    t.after(() => faulty.close());
    const tab = await browser.tab({ width: 360, height: 740 });
    await tab.open(faulty.address);
    const findings = await audit(tab);
    const rules = new Set(findings.map((finding) => finding.split(':')[0]));
    for (const rule of ['contrast', 'name', 'duplicate-id', 'reference', 'heading', 'language', 'title', 'zoom', 'landmark', 'list', 'tabindex',
        'hidden-focus', 'target-size', 'overflow', 'focus-ring', 'focus-reach', 'focus-order']) {
        assert.ok(rules.has(rule), `expected a finding of ${rule} in\n${findings.join('\n')}`);
    }
    assert.ok(findings.some((finding) => finding.includes('"Pale text" has 2.32:1')));
    assert.ok(findings.some((finding) => finding.includes('button.faint: its edge')));
    await tab.close();
});
