// The sound server goes, and comes back: what notices it, and how listener and sender go on. In node, with a fake of a browser's sound.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AudioWatch, Retry } from '../../Sources/Web/library/audio-watch.js';
import { Recovery } from '../../Sources/Web/library/recovery.js';
import { contexts, install, system } from './fake-audio.mjs';
import { until } from './support.mjs';

install();
const { Listener } = await import('../../Sources/Web/library/listener.js');
const { Playing } = await import('../../Sources/Web/library/speaker.js');
const modem = { module: undefined, profile: () => ({ minSampleRateHz: 44_100 }) };

test('audio time that stands still is told in seconds; a page that slept is not', () => {
    const watch = new AudioWatch();
    assert.deepEqual([[0, 10], [1, 11], [1, 12], [1, 14], [2, 15], [2, 100], [2, 101]].map(([audio, wall]) => watch.look(audio, wall)),
        [0, 0, 1, 3, 0, 0, 1]);
    assert.equal(watch.moves, 2);
});

test('tries grow from 1 to 30 s, and begin anew when all is well', () => {
    const retry = new Retry();
    const pauses = [];
    for (let second = 0; second < 120; second++) if (retry.isDue(second)) pauses.push(retry.begin(second));
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 30, 30, 30]);
    retry.reset();
    assert.ok(retry.isDue(0));
    assert.equal(retry.begin(0), 1);
});

/** What a recovery says in each of these seconds, where it says something. */
function told(recovery, seconds, look) {
    const lines = [];
    for (let second = 0; second < seconds; second++) {
        const words = recovery.look({ heardFrames: second, isSilent: false, ...look(second) }, second);
        if (words !== undefined) lines.push(`${second}: ${words}`);
    }
    return lines;
}

test('a listener is told of time that stands still, of blocks that do not come, and of a closed context', () => {
    const running = (currentTime) => ({ context: { state: 'running', currentTime } });
    assert.deepEqual(told(new Recovery(), 60, (second) => running(second)), []);
    const stands = new Recovery();
    assert.deepEqual(told(stands, 15, (second) => running(Math.min(second, 10))), ['14: the system\'s sound has stood still for 4 s']);
    assert.ok(stands.isContextDead);
    const unheard = new Recovery();
    assert.deepEqual(told(unheard, 26, (second) => ({ ...running(second), heardFrames: Math.min(second, 10) })), ['25: no sound has come for 15 s']);
    assert.ok(!unheard.isContextDead);
    assert.deepEqual(told(new Recovery(), 60, () => ({ context: { state: 'suspended', currentTime: 5 } })), []);
    assert.deepEqual(told(new Recovery(), 1, () => ({ context: { state: 'closed', currentTime: 5 } })), ['0: the browser closed its sound']);
});

test('exact silence asks for another stream after 10, 20, 40 s more', () => {
    const look = (second) => ({ context: { state: 'running', currentTime: second }, isSilent: second >= 5 });
    assert.deepEqual(told(new Recovery(), 120, look), ['15: silence', '35: silence', '75: silence']);
});

test('a listener whose context stands still says so, and listens in another one', async (t) => {
    const listener = await Listener.start({ modem });
    t.after(() => listener.stop());
    const states = [], problems = [];
    listener.addEventListener('state', ({ detail }) => states.push(detail));
    listener.addEventListener('problem', ({ detail }) => problems.push(detail.message));
    const first = listener.context, opened = system.microphones;
    await new Promise((resolve) => setTimeout(resolve, 1500));
    system.refuses = true;
    first.stand();
    await until(() => states.length === 1, 'noticed', 10);
    assert.match(problems.join(), /^The microphone is gone \(the system's sound has stood still for \d s\)\.$/);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.deepEqual([states, system.microphones], [['reconnecting'], opened]);
    system.refuses = false;
    await until(() => states.length === 2, 'listening again', 10);
    assert.deepEqual(states, ['reconnecting', 'listening']);
    assert.notEqual(listener.context, first);
    assert.equal(first.state, 'closed');
    assert.equal(listener.problems.length, 0);
    assert.equal(contexts.filter(({ state }) => state !== 'closed').length, 1, 'no context is left behind');
});

test('a sender whose context stands still says so, and sends its frame anew when sound is back', async () => {
    const context = new AudioContext();
    const thread = { encode: async () => new Float32Array(24_000) };
    const playing = new Playing(context, thread, '0102', { count: 3 });
    const lines = [];
    for (const kind of ['sent', 'stalled', 'problem', 'ended']) playing.addEventListener(kind, () => lines.push(kind));
    await until(() => lines.length === 1, 'sent');
    context.stand();
    await until(() => lines.length === 2, 'noticed', 10);
    context.go();
    await until(() => lines.at(-1) === 'ended', 'ended', 10);
    assert.deepEqual(lines, ['sent', 'stalled', 'sent', 'sent', 'ended']);
});

test('a sender that is stopped while its context stands still ends', async () => {
    const context = new AudioContext();
    context.stand();
    const playing = new Playing(context, { encode: async () => new Float32Array(24_000) }, '0102', {});
    await new Promise((resolve) => playing.addEventListener('stalled', resolve));
    await playing.stop();
});

test('a sender whose context tells of an error sends its frame anew', async () => {
    const context = new AudioContext();
    const playing = new Playing(context, { encode: async () => new Float32Array(96_000) }, '0102', { count: 1 });
    const lines = [];
    for (const kind of ['sent', 'stalled', 'problem', 'ended']) playing.addEventListener(kind, () => lines.push(kind));
    await new Promise((resolve) => setTimeout(resolve, 200));
    context.dispatchEvent(new Event('error'));
    await until(() => lines.at(-1) === 'ended', 'ended', 10);
    assert.deepEqual(lines, ['stalled', 'sent', 'ended']);
});
